// SPDX-License-Identifier: GPL-2.0
/*
 * hog MIB: an innocent process with much memory. It takes memory until only so
 * much is available, says "ready", and works with it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STEP	(1UL << 20)

/* MiB */
static unsigned long available(void)
{
	unsigned long kib = 0;
	char line[128];
	FILE *f = fopen("/proc/meminfo", "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "MemAvailable: %lu kB", &kib) == 1)
			break;
	if (f)
		fclose(f);
	return kib / 1024;
}

int main(int argc, char **argv)
{
	unsigned long leave = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	char *mem;

	if (!leave)
		return 2;
	while (available() > leave) {
		mem = mmap(NULL, STEP, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (mem == MAP_FAILED)
			return 1;
		memset(mem, 1, STEP);
	}
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}
