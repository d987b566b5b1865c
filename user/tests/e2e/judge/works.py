# SPDX-License-Identifier: GPL-2.0
"""Calls between Python and C without end. See backtrace.t."""


class Key:
    def __init__(self, n):
        self.n = n

    def __lt__(self, other):
        return self.n % 7 < other.n % 7

    def __hash__(self):
        return hash(str(self.n))

    def __eq__(self, other):
        return self.n == other.n


def deep(n):
    return n if n <= 0 else max([n], key=lambda x: deep(x - 1))


def fail(n):
    try:
        return {}[n]
    except KeyError:
        return int(str(n) * 3) % 101


def numbers(n):
    for i in range(n % 20):
        yield i * n


n = 0
while True:
    n += 1
    sorted(Key(i) for i in numbers(n))
    {Key(i): str(i) for i in numbers(n)}
    deep(n % 8)
    fail(n)
    " ".join(f"{x:>5}" for x in numbers(n)).split()
