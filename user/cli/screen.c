// SPDX-License-Identifier: GPL-2.0
#include "cli/screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/whole.h"
#include "cli/signals.h"

/*
 * Control sequences of ECMA-48 and xterm, which all terminals of today have. A line does not
 * wrap: characters may be wider than one column.
 */
#define ENTER	   "\033[?1049h\033[?25l\033[?7l"
#define LEAVE	   "\033[?7h\033[?25h\033[?1049l"
#define HOME	   "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_REST "\033[J"

/* Of a terminal that does not say how large it is */
#define LINES_DEFAULT	24
#define COLUMNS_DEFAULT 80

#define TAB_WIDTH	8

/* Signals that a terminal sends, beside those that end a recording */
static const int signals[] = { SIGTSTP, SIGQUIT };

/* The screen that is on, for the handler of a signal */
static const struct screen *current;

static int enter(const struct screen *s)
{
	struct termios raw = s->was;

	raw.c_lflag &= ~(ICANON | ECHO);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	if (s->keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	return write_all(s->out, ENTER, strlen(ENTER));
}

static void restore(void)
{
	const struct screen *s = current;

	write_all(s->out, LEAVE, strlen(LEAVE));
	if (s->keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &s->was);
}

/* The process stops or ends with the terminal as it was. The next drawing fills the screen. */
static void leave(int sig)
{
	struct sigaction mine;
	int saved = errno;
	sigset_t set;

	restore();
	sigaction(sig, &(struct sigaction){ .sa_handler = SIG_DFL }, &mine);
	raise(sig);
	sigemptyset(&set);
	sigaddset(&set, sig);
	sigprocmask(SIG_UNBLOCK, &set, NULL); /* until it is continued */
	sigprocmask(SIG_BLOCK, &set, NULL);
	sigaction(sig, &mine, NULL);
	enter(current);
	errno = saved;
}

/* What a shell has ignored stays ignored. */
static void handle_signals(bool on)
{
	struct sigaction act = { .sa_flags = SA_RESTART, .sa_handler = on ? leave : SIG_DFL }, was;

	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		if (!sigaction(signals[i], NULL, &was) && was.sa_handler != SIG_IGN)
			sigaction(signals[i], &act, NULL);
}

int screen_open(struct screen *s, bool keys)
{
	*s = (struct screen){ .out = -1, .text_fd = -1 };
	if (!isatty(STDOUT_FILENO))
		return 0;
	s->text_fd = memfd_create("screen", MFD_CLOEXEC);
	s->out = dup(STDOUT_FILENO);
	if (s->text_fd < 0 || s->out < 0)
		return -errno;
	s->on = true;
	s->keys = keys && !tcgetattr(STDIN_FILENO, &s->was);
	current = s;
	signals_at_exit(restore);
	handle_signals(true);
	return enter(s);
}

void screen_close(struct screen *s)
{
	if (s->on) {
		signals_at_exit(NULL);
		handle_signals(false);
		restore();
		close(s->out);
		close(s->text_fd);
	}
	free(s->text);
	*s = (struct screen){ .out = -1, .text_fd = -1 };
}

int screen_begin(struct screen *s)
{
	fflush(stdout);
	if (ftruncate(s->text_fd, 0) || lseek(s->text_fd, 0, SEEK_SET) ||
	    dup2(s->text_fd, STDOUT_FILENO) < 0)
		return -errno;
	return 0;
}

/* ---- drawing ------------------------------------------------------------- */

/* Columns that a byte takes at @column, if its character is as wide as most. */
static unsigned int width_of(char c, unsigned int column)
{
	if (c == '\t')
		return TAB_WIDTH - column % TAB_WIDTH;
	return ((unsigned char)c & 0xc0) != 0x80;
}

/* One line, cut at the edge of the terminal. Return: the next line */
static const char *draw_line(struct buf *b, const char *line, const char *end,
			     unsigned int columns)
{
	unsigned int column = 0;

	for (; line < end && *line != '\n'; line++) {
		unsigned int width = width_of(*line, column);

		column += width;
		if (column > columns)
			continue;
		if (*line == '\t')
			buf_printf(b, "%*s", (int)width, "");
		else
			buf_putc(b, *line);
	}
	buf_puts(b, CLEAR_LINE);
	return line < end ? line + 1 : end;
}

static struct winsize get_size(const struct screen *s)
{
	struct winsize size = { 0 };

	ioctl(s->out, TIOCGWINSZ, &size);
	if (!size.ws_row)
		size.ws_row = LINES_DEFAULT;
	if (!size.ws_col)
		size.ws_col = COLUMNS_DEFAULT;
	return size;
}

static int draw(struct screen *s)
{
	_cleanup_buf_ struct buf b = BUF_INIT;
	const char *line = s->text, *end = s->text + s->size;
	struct winsize size = get_size(s);
	size_t lines = 0;

	for (size_t i = 0; i < s->size; i++)
		lines += s->text[i] == '\n';
	if (s->first + 2 > lines)
		s->first = lines > 2 ? lines - 2 : 0;
	buf_puts(&b, HOME);
	if (line < end)
		line = draw_line(&b, line, end, size.ws_col);
	for (size_t i = 0; i < s->first && line < end; i++) {
		line = memchr(line, '\n', end - line);
		line = line ? line + 1 : end;
	}
	for (unsigned int i = 1; i < size.ws_row && line < end; i++) {
		buf_puts(&b, "\r\n");
		line = draw_line(&b, line, end, size.ws_col);
	}
	buf_puts(&b, CLEAR_REST);
	return b.failed ? -ENOMEM : write_all(s->out, b.data, b.size);
}

int screen_end(struct screen *s)
{
	off_t size;
	int err;

	fflush(stdout);
	if (dup2(s->out, STDOUT_FILENO) < 0)
		return -errno;
	size = lseek(s->text_fd, 0, SEEK_END);
	if (size < 0 || lseek(s->text_fd, 0, SEEK_SET))
		return -errno;
	free(s->text);
	s->text = NULL;
	s->size = 0;
	err = read_whole(s->text_fd, size, &s->text, &s->size);
	return err ? err : draw(s);
}

/* ---- keys ---------------------------------------------------------------- */

/* struct key - what scrolls: by @lines and by @pages; @text is what the terminal sends */
static const struct key {
	const char *text;
	int lines, pages;
} keys[] = {
	{ "\033[A", -1, 0 },  { "\033OA", -1, 0 }, { "k", -1, 0 },
	{ "\033[B", 1, 0 },   { "\033OB", 1, 0 },  { "j", 1, 0 },
	{ "\033[5~", 0, -1 }, { "b", 0, -1 },	   { "\033[6~", 0, 1 },
	{ " ", 0, 1 },	      { NULL }
};

static void scroll(struct screen *s, const struct key *key)
{
	long by = key->lines + key->pages * (get_size(s).ws_row - 1L);

	s->first = by < 0 && s->first < (size_t)-by ? 0 : s->first + by;
}

/* Return: bytes of @text that are one key */
static size_t take_key(struct screen *s, const char *text)
{
	for (const struct key *key = keys; key->text; key++) {
		size_t size = strlen(key->text);

		if (strncmp(text, key->text, size))
			continue;
		scroll(s, key);
		return size;
	}
	return 1;
}

int screen_keys(struct screen *s)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	char text[64];
	ssize_t n;

	if (!s->keys || poll(&in, 1, 0) <= 0)
		return 0;
	n = read(STDIN_FILENO, text, sizeof(text) - 1);
	if (n <= 0)
		return 0;
	text[n] = 0;
	for (const char *at = text; *at; at += take_key(s, at))
		if (*at == 'q')
			return 1;
	return draw(s);
}
