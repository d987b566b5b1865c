// SPDX-License-Identifier: GPL-2.0
/*
 * The program that the examples of ktap-tutorial(7) and of other pages trace:
 * it adds up the prices of three orders. Built by
 *
 *	gcc -g -O1 orders.c -o orders
 */
#include <stdio.h>
#include <sys/sdt.h>

enum state { NEW, PAID, SENT };

struct order {
	int id;
	const char *item;
	unsigned int count;
	enum state state;
};

static const struct order orders[] = {
	{ .id = 1, .item = "paper", .count = 500, .state = SENT },
	{ .id = 2, .item = "pencil", .count = 12, .state = PAID },
	{ .id = 3, .item = "desk", .count = 1, .state = NEW },
};

static int unit_price(const char *item)
{
	switch (item[0]) {
	case 'p':
		return item[1] == 'a' ? 2 : 90;
	default:
		return 24900;
	}
}

__attribute__((noinline)) int price(const struct order *order)
{
	int unit = unit_price(order->item);

	return unit * (int)order->count;
}

__attribute__((noinline)) long total(const struct order *list, int nr)
{
	long sum = 0;

	for (int i = 0; i < nr; i++) {
		int cost = price(&list[i]);

		sum += cost;
		DTRACE_PROBE2(orders, added, cost, sum);
	}
	return sum;
}

int main(void)
{
	printf("%ld\n", total(orders, sizeof(orders) / sizeof(orders[0])));
	return 0;
}
