/* SPDX-License-Identifier: GPL-2.0 */
/* Maps of a probe module: shown while it runs, and at its end. */
#ifndef KTAP_CLI_MODULE_MAPS_H
#define KTAP_CLI_MODULE_MAPS_H

#include "cli/aggregated.h"
#include "cli/output.h"
#include "record/datafile.h"

/**
 * struct module_maps - maps of a module
 * @out: where events go
 * @interval_ns: between outputs; 0: there is one, at the end
 * @map: one for each probe that aggregates; owned
 * @nr: how many
 * @decoder: knows the probes and the stacks that came, or NULL
 * @nr_cpus: of the machine
 * @now: rows of each map that wait for their stacks; NULL: none do
 * @began_ns: time when it began
 * @shown_ns: time of the last output
 * @due_ns: time of the next one
 * @taken_ns: time when @now was read
 */
struct module_maps {
	struct output *out;
	uint64_t interval_ns;
	struct aggregated *map;
	size_t nr;
	struct decoder *decoder;
	unsigned int nr_cpus;
	struct rows *now;
	uint64_t began_ns;
	uint64_t shown_ns;
	uint64_t due_ns;
	uint64_t taken_ns;
};

/**
 * module_maps_init() - begin without maps
 * @m: filled; release with module_maps_deinit()
 * @out: where events go; may not be open yet
 * @interval_ns: between outputs; 0: there is one, at the end
 */
void module_maps_init(struct module_maps *m, struct output *out, uint64_t interval_ns);

/**
 * module_maps_probe() - learn of a probe, which may aggregate
 * @m: maps
 * @p: probe; its name stays valid
 * @d: on failure
 *
 * Return: 0 or a negative errno.
 */
int module_maps_probe(struct module_maps *m, const struct datafile_probe *p,
		      struct diag *d);

/**
 * module_maps_look() - read the rows if the time of an output has come
 * @m: maps
 * @fd: the device, which is tied
 * @d: on failure
 *
 * Return: 0, -EPIPE: stdout has no reader; or another negative errno.
 */
int module_maps_look(struct module_maps *m, int fd, struct diag *d);

/**
 * module_maps_drained() - the device has nothing more: show the rows that were read
 * @m: maps
 * @d: on failure
 *
 * The stacks in a row come from the device before it has nothing more.
 *
 * Return: as module_maps_look().
 */
int module_maps_drained(struct module_maps *m, struct diag *d);

/**
 * module_maps_end() - show the rows at the end, or those since the last output
 * @m: maps
 * @f: recording that the device gave, up to its end
 * @d: on failure
 *
 * Return: as module_maps_look(); 1: rows made no sense, and were skipped.
 */
int module_maps_end(struct module_maps *m, const struct datafile *f, struct diag *d);

/**
 * module_maps_deinit() - release all
 * @m: maps
 */
void module_maps_deinit(struct module_maps *m);

#endif /* KTAP_CLI_MODULE_MAPS_H */
