/* SPDX-License-Identifier: GPL-2.0 */
/* A terminal that shows one text, which a later text replaces. */
#ifndef KTAP_CLI_SCREEN_H
#define KTAP_CLI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/**
 * struct screen - the terminal
 * @on: it is in use
 * @keys: keys are read, and @was is to be restored
 * @was: settings of the terminal before that
 * @out: the terminal's descriptor, while standard output is @text_fd
 * @text_fd: file in memory that has the text
 * @text: the last text; owned
 * @size: its bytes
 * @first: line of it, after its first one, that is at the top
 */
struct screen {
	bool on;
	bool keys;
	struct termios was;
	int out;
	int text_fd;
	char *text;
	size_t size;
	size_t first;
};

/**
 * screen_open() - take over the terminal, if standard output is one
 * @s: screen; release it with screen_close(), also on failure
 * @keys: also read keys, if standard input is the terminal
 *
 * What the process prints between screen_begin() and screen_end() is the text.
 *
 * Return: 0 or a negative errno; @s->on tells whether there is a terminal.
 */
int screen_open(struct screen *s, bool keys);

/**
 * screen_close() - restore the terminal
 * @s: screen
 */
void screen_close(struct screen *s);

/**
 * screen_begin() - have standard output go to a new text
 * @s: screen that is on
 *
 * Return: 0 or a negative errno.
 */
int screen_begin(struct screen *s);

/**
 * screen_end() - have standard output go to the terminal again, and show the text
 * @s: screen
 *
 * The first line of the text is always shown; of the others, as many as have space.
 *
 * Return: 0 or a negative errno.
 */
int screen_end(struct screen *s);

/**
 * screen_keys() - read the keys that were pressed, and scroll
 * @s: screen
 *
 * Return: 0; 1: the key was 'q'; negative errno.
 */
int screen_keys(struct screen *s);

#endif /* KTAP_CLI_SCREEN_H */
