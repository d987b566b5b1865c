// SPDX-License-Identifier: GPL-2.0
/* Loops that change the machine: processors, memory, clocks. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "torture.h"

#define CPUS	    "/sys/devices/system/cpu/cpu"
#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/"

/* ---- processors ---------------------------------------------------------------- */

static bool can_hotplug(void)
{
	return exists(CPUS "1/online");
}

/* All but the first. */
static bool hotplug(struct chance *c)
{
	unsigned int cpu = 1 + chance_below(c, 3);
	char path[64];
	bool went;

	snprintf(path, sizeof(path), CPUS "%u/online", cpu);
	went = write_file(path, "0");
	sleep_ms(chance_below(c, 300));
	return write_file(path, "1") && went;
}

static void end_hotplug(void)
{
	write_file(CPUS "1/online", "1");
	write_file(CPUS "2/online", "1");
	write_file(CPUS "3/online", "1");
}

/* ---- memory ---------------------------------------------------------------------- */

/* KiB of /proc/meminfo */
static unsigned long kib_of(const char *name)
{
	FILE *f = fopen("/proc/meminfo", "re");
	unsigned long kib = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name))) {
			kib = strtoul(line + strlen(name), NULL, 10);
			break;
		}
	if (f)
		fclose(f);
	return kib;
}

/* Little is left, but nobody is killed for it: those who are counted live. */
#define LEFT_KIB (160UL << 10)
#define STEP_KIB 4096UL
#define MEM_MAX	 1024

static bool memory(struct chance *c)
{
	static char *mem[MEM_MAX];
	static unsigned int nr;

	while (nr < MEM_MAX && kib_of("MemAvailable:") > LEFT_KIB + STEP_KIB) {
		mem[nr] = mmap(NULL, STEP_KIB << 10, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1,
			       0);
		if (mem[nr] == MAP_FAILED)
			return false;
		nr++;
		/* not all at once: a round is no longer than others */
		if (!chance_below(c, 8))
			return true;
	}
	if (!chance_below(c, 3))
		write_file("/proc/sys/vm/drop_caches", "3");
	sleep_ms(chance_below(c, 200));
	for (; nr && chance_below(c, 8); nr--)
		munmap(mem[nr - 1], STEP_KIB << 10);
	return true;
}

/* ---- clocks ------------------------------------------------------------------------ */

static bool can_clocksource(void)
{
	char line[128];

	read_file(CLOCKSOURCE "available_clocksource", line, sizeof(line));
	return strstr(line, "acpi_pm") || strstr(line, "hpet");
}

static bool clocksource(struct chance *c)
{
	char line[128], *word = line, *next;
	unsigned int nr = 1 + chance_below(c, 3);

	read_file(CLOCKSOURCE "available_clocksource", line, sizeof(line));
	/* the last of them if there are fewer */
	while (--nr && (next = strchr(word, ' ')) && next[1])
		word = next + 1;
	word[strcspn(word, " ")] = 0;
	sleep_ms(50 + chance_below(c, 200));
	return write_file(CLOCKSOURCE "current_clocksource", word);
}

static void end_clocksource(void)
{
	char line[128];

	read_file(CLOCKSOURCE "available_clocksource", line, sizeof(line));
	line[strcspn(line, " ")] = 0;
	write_file(CLOCKSOURCE "current_clocksource", line);
}

/* Back by more than forth, and far. */
static bool clock_steps(struct chance *c)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += (long)chance_below(c, 4000) - 2000;
	if (t.tv_sec < 1000000000)
		t.tv_sec += 700000000;
	sleep_ms(20 + chance_below(c, 200));
	return !clock_settime(CLOCK_REALTIME, &t);
}

const struct loop machine_loops[] = {
	{ "hotplug", can_hotplug, NULL, hotplug, end_hotplug },
	{ "memory", NULL, NULL, memory, NULL },
	{ "clocksource", can_clocksource, NULL, clocksource, end_clocksource },
	{ "clock", NULL, NULL, clock_steps, NULL },
	{ NULL, NULL, NULL, NULL, NULL }
};
