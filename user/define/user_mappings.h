/* SPDX-License-Identifier: GPL-2.0 */
/* What processes have mapped, as proc(5) lists it. */
#ifndef KTAP_DEFINE_USER_MAPPINGS_H
#define KTAP_DEFINE_USER_MAPPINGS_H

#include <stdbool.h>
#include <sys/types.h>

/**
 * struct user_mapping - a line of /proc/PID/maps
 * @start: first address
 * @end: address after the last one
 * @is_code: it may be executed
 * @major, @minor, @inode: identify its file
 * @path: of its file, as that process names it; "" if it has none
 */
struct user_mapping {
	unsigned long long start;
	unsigned long long end;
	bool is_code;
	unsigned int major;
	unsigned int minor;
	unsigned long long inode;
	const char *path;
};

/**
 * user_mappings_each() - call a function for the mappings of a process
 * @pid: process
 * @fn: called for each, in the order of addresses; returns true to end that
 * @ctx: its first argument
 *
 * Return: true if @fn did; false also if the process cannot be read.
 */
bool user_mappings_each(pid_t pid, bool (*fn)(void *ctx, pid_t pid, const struct user_mapping *m),
			void *ctx);

/**
 * user_mappings_of_all() - call a function for the mappings of all processes
 * @fn: as for user_mappings_each(); to return true ends only those of one process
 * @ctx: its first argument
 */
void user_mappings_of_all(bool (*fn)(void *ctx, pid_t pid, const struct user_mapping *m),
			  void *ctx);

#endif /* KTAP_DEFINE_USER_MAPPINGS_H */
