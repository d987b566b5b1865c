/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Probe modules, as "ktap run" uses them: the file, the module in the kernel, and its
 * device. include/uapi/linux/ktap.h has what is said to the device.
 */
#ifndef KTAP_WIRE_PROBE_MODULE_H
#define KTAP_WIRE_PROBE_MODULE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"
#include "wire/ctl.h"

/* MODULE_NAME_LEN of 64-bit kernels, with the NUL. */
#define PROBE_MODULE_NAME_SIZE	56

/**
 * struct probe_module - a file of a probe module
 * @path: of the file; not copied
 * @fd: the file
 * @name: of the module
 * @release: of the kernel that it was made for; empty: it does not say
 * @session: number of its session, after probe_module_load(); 0: none
 */
struct probe_module {
	const char *path;
	int fd;
	char name[PROBE_MODULE_NAME_SIZE];
	char release[72];
	uint64_t session;
};

/**
 * struct probe_module_params - how it is loaded
 * @overwrite: keep the newest records
 * @ring_size: bytes of a ring; 0: the default
 * @pid: record this process and its descendants only; 0: all
 * @nr_rows: keys that each map has room for; 0: the default
 */
struct probe_module_params {
	bool overwrite;
	uint64_t ring_size;
	pid_t pid;
	uint64_t nr_rows;
};

/**
 * probe_module_is_one() - whether a word stands for a probe module
 * @word: the word
 *
 * Return: true if it ends in ".ko".
 */
bool probe_module_is_one(const char *word);

/**
 * probe_module_open() - open a file of a probe module
 * @path: the file, which may be hostile
 * @d: on failure; NULL is allowed, as for all functions here
 * @ret: on success; release with probe_module_close()
 *
 * Return: 0, or a negative errno: it cannot be read, or is no probe module.
 */
int probe_module_open(const char *path, struct diag *d, struct probe_module *ret);

/**
 * probe_module_close() - close the file
 * @m: module, or zeros with @fd -1
 */
void probe_module_close(struct probe_module *m);

/**
 * probe_module_load() - load a module whose probes wait for probe_module_tie()
 * @ctl: client, for who has it loaded already
 * @m: module
 * @params: its parameters
 * @d: on failure
 *
 * If the module is loaded already and idle, because what had tied it was killed, it is
 * unloaded first. Where the kernel's log can be read, the hint has its line on a refusal.
 *
 * Return: 0; 1: an idle module was unloaded; -EBUSY: it is loaded and in use; or the
 *	negative errno of the kernel.
 */
int probe_module_load(struct ctl *ctl, struct probe_module *m,
		      const struct probe_module_params *params, struct diag *d);

/**
 * probe_module_tie() - open the device of a module and arm its probes
 * @m: module that was loaded
 * @d: on failure
 *
 * The descriptor does not block. Closing it disarms the probes once and for all.
 *
 * Return: descriptor, which exec closes; or a negative errno.
 */
int probe_module_tie(struct probe_module *m, struct diag *d);

/**
 * probe_module_unload() - unload a module
 * @ctl: client
 * @m: module that was loaded
 * @d: on failure
 *
 * If somebody has unloaded it before, and loaded one of the same name, that one stays.
 *
 * Return: 0 or a negative errno.
 */
int probe_module_unload(struct ctl *ctl, const struct probe_module *m,
			struct diag *d);

#endif /* KTAP_WIRE_PROBE_MODULE_H */
