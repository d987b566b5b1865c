// SPDX-License-Identifier: GPL-2.0
/*
 * onlycaps LIST COMMAND...: runs a command that has, though it is root's, only
 * the capabilities of the list (numbers with commas; "none").
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define CAPS_MAX 64

int main(int argc, char **argv)
{
	bool keep[CAPS_MAX] = { false };
	char *word;

	if (argc < 3)
		return 2;
	for (word = strtok(argv[1], ","); word; word = strtok(NULL, ","))
		if (strcmp(word, "none"))
			keep[atoi(word) % CAPS_MAX] = true;
	for (int i = 0; i < CAPS_MAX; i++) {
		/* what is not in the bounding set, root does not get at exec */
		if (!keep[i] && prctl(PR_CAPBSET_DROP, i, 0, 0, 0) &&
		    errno != EINVAL) {
			perror("PR_CAPBSET_DROP");
			return 1;
		}
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
