/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of a report. Private to report/. */
#ifndef KTAP_REPORT_REPORT_IN_H
#define KTAP_REPORT_REPORT_IN_H

#include "base/names.h"
#include "report/key.h"
#include "report/report.h"

/**
 * struct report - rows that events are added up in
 * @opt: options
 * @ks: names addresses, or NULL
 * @plans: by shape of the event
 * @nr_plans: how many
 * @rows: rows
 * @nr: how many
 * @other: what had no room
 * @slots: hash table: numbers of rows, from 1; 0: free
 * @nr_slots: a power of two
 * @mapped: hits in all rows that the kernel added up
 * @key: keys of the event at hand
 * @found_keys: keys that an event of interest has
 * @found_values: values that an event of interest has
 * @arguments: names of all arguments of events of interest
 * @found_events: patterns that matched an event; owned
 */
struct report {
	struct report_options opt;
	const struct ksyms *ks;
	struct event_plan *plans;
	size_t nr_plans;
	struct report_row *rows;
	size_t nr;
	struct report_row other;
	uint32_t *slots;
	size_t nr_slots;
	uint64_t mapped;
	struct buf key;
	bool found_keys[REPORT_NAMES_MAX];
	bool found_values[REPORT_NAMES_MAX];
	struct names arguments;
	bool *found_events;
};

/**
 * report_compare() - the order of rows by the bytes of their texts
 * @a: row, not "other"
 * @b: row, not "other"
 *
 * Return: as strcmp().
 */
int report_compare(const void *a, const void *b);

/**
 * report_merge() - make rows whose keys look the same one row
 * @r: report, whose rows are in the order of report_compare() then; before more
 *	events come, report_fill_slots() must be called
 *
 * Return: 0 or -ENOMEM.
 */
int report_merge(struct report *r);

/**
 * report_fill_slots() - put all rows into the hash table, with room for one more
 * @r: report
 *
 * Return: 0 or -ENOMEM.
 */
int report_fill_slots(struct report *r);

#endif /* KTAP_REPORT_REPORT_IN_H */
