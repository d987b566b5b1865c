// SPDX-License-Identifier: GPL-2.0
// Exceptions without end, through frames with destructors, in threads too. See backtrace.t.
#include <algorithm>
#include <csignal>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static volatile unsigned long sink;

struct Held {
	std::string text;
	explicit Held(unsigned long n) : text(20 + n % 30, 'x') {}
	~Held() { sink = sink + text.size(); }
};

struct Base {
	virtual ~Base() = default;
	virtual unsigned long work(unsigned long n) = 0;
};

static __attribute__((noinline)) unsigned long fail(unsigned long n)
{
	Held held(n);
	if (n % 3)
		throw std::runtime_error(held.text);
	if (n % 2)
		throw n;
	return n;
}

struct Deep : Base {
	__attribute__((noinline)) unsigned long down(unsigned long n, int depth)
	{
		Held held(n);
		return depth ? down(n, depth - 1) + 1 : fail(n);
	}
	unsigned long work(unsigned long n) override { return down(n, n % 12); }
};

struct Again : Base {
	unsigned long work(unsigned long n) override
	{
		try {
			Deep deep;
			return deep.work(n);
		} catch (const std::exception &e) {
			if (n % 5)
				throw;
			return e.what()[0];
		}
	}
};

static __attribute__((noinline)) void one(Base &base, unsigned long n)
{
	std::vector<unsigned long> list{n, n / 2, n % 7, n / 3};
	std::map<unsigned long, std::string> map;

	std::sort(list.begin(), list.end(), [](unsigned long a, unsigned long b) {
		return a % 5 < b % 5;
	});
	try {
		map[list[0]] = std::to_string(base.work(n));
	} catch (unsigned long number) {
		sink = sink + number;
	} catch (const std::runtime_error &e) {
		sink = sink + e.what()[0];
	}
}

static void rounds()
{
	Deep deep;
	Again again;

	for (unsigned long n = 0;; n++)
		one(n % 2 ? static_cast<Base &>(deep) : again, n);
}

int main(int argc, char **)
{
	if (argc > 1) {
		std::thread thread(rounds);
		sigset_t set;

		// the thread is interrupted, and not this one
		sigemptyset(&set);
		sigaddset(&set, SIGPROF);
		pthread_sigmask(SIG_BLOCK, &set, nullptr);
		thread.join();
	}
	rounds();
}
