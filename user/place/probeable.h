/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which symbols of a kernel are functions that can be probed, for those who look for many.
 * The kernel itself decides when a probe is added.
 */
#ifndef KTAP_PLACE_PROBEABLE_H
#define KTAP_PLACE_PROBEABLE_H

#include "place/ksyms.h"

/* Areas where the kernel lets no kprobe be */
#define PROBEABLE_AREAS 3

/* struct address_range - addresses: [start, end) */
struct address_range {
	uint64_t start;
	uint64_t end;
};

/**
 * struct probeable - where the kernel can be probed
 * @ks: its symbols
 * @init: code that is gone when the kernel runs
 * @area: code where no kprobe can be
 * @has_ftrace: the hook of ftrace may serve functions that the kernel keeps kprobes off; it
 *	tells, one by one, where it does not
 */
struct probeable {
	const struct ksyms *ks;
	struct address_range init;
	struct address_range area[PROBEABLE_AREAS];
	bool has_ftrace;
};

/**
 * probeable_init() - find where a kernel can be probed
 * @p: filled; nothing has to be released
 * @ks: symbols, with addresses; they must outlive @p
 */
void probeable_init(struct probeable *p, const struct ksyms *ks);

/**
 * probeable_is_function() - whether a symbol is a function that exists when the kernel runs
 * @p: kernel
 * @sym: one of its symbols
 *
 * Return: false: it is data, padding, a part of a function that the compiler put elsewhere,
 *	code that the kernel frees after its start, or a function of ktap.ko, which the module
 *	does not let be probed.
 */
bool probeable_is_function(const struct probeable *p, const struct ksym *sym);

/**
 * probeable_is_forbidden() - whether kprobes themselves need a function
 * @p: kernel
 * @sym: one of its functions
 *
 * Return: true: the kernel would refuse a kprobe in it.
 */
bool probeable_is_forbidden(const struct probeable *p, const struct ksym *sym);

#endif /* KTAP_PLACE_PROBEABLE_H */
