// SPDX-License-Identifier: GPL-2.0
#include "define/user_mappings.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse(char *line, struct user_mapping *m)
{
	char access[5];
	int at = 0;

	if (sscanf(line, "%llx-%llx %4s %*x %x:%x %llu %n", &m->start, &m->end, access,
		   &m->major, &m->minor, &m->inode, &at) < 6 || !at)
		return false;
	line[strcspn(line, "\n")] = '\0';
	m->is_code = access[2] == 'x';
	m->path = line + at;
	return true;
}

bool user_mappings_each(pid_t pid, bool (*fn)(void *ctx, pid_t pid, const struct user_mapping *m),
			void *ctx)
{
	char name[64], *line = NULL;
	struct user_mapping m;
	size_t room = 0;
	bool done = false;
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);
	f = fopen(name, "re");
	if (!f)
		return false;
	while (!done && getline(&line, &room, f) > 0)
		done = parse(line, &m) && fn(ctx, pid, &m);
	free(line);
	fclose(f);
	return done;
}

void user_mappings_of_all(bool (*fn)(void *ctx, pid_t pid, const struct user_mapping *m),
			  void *ctx)
{
	struct dirent *entry;
	DIR *dir = opendir("/proc");
	pid_t pid;

	if (!dir)
		return;
	while ((entry = readdir(dir))) {
		pid = atoi(entry->d_name);
		if (pid > 0)
			user_mappings_each(pid, fn, ctx);
	}
	closedir(dir);
}
