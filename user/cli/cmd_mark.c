// SPDX-License-Identifier: GPL-2.0
/* ktap mark: a line of a script on the time line of what is recorded. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/fmt.h"
#include "cli/account.h"
#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/say.h"
#include "wire/session.h"

static const struct option_row rows[] = {
	{ OPT_STRICT, "strict", NULL, "fail if a session lost the mark" },
	{ 'v', "verbose", NULL, "print how many sessions have the mark" },
	OPTION_QUIET,
	{ 0 }
};

static const struct usage usage = {
	.synopsis = "[--strict] [-v] TEXT...|-",
	.about = "Writes a line of text into all sessions that record. 'ktap trace' and 'ktap script' show\n"
		 "it between the hits. The word '-' stands for the lines of standard input.",
	.rows = rows,
	.joins_words = true,
};

/**
 * struct marker - this command at work
 * @strict: a loss is a failure
 * @verbose: also say where a mark was recorded
 * @quiet: say nothing of losses
 * @session: the device; NULL: no mark was written yet
 * @sum: outcomes of all marks, counted in each session
 */
struct marker {
	bool strict;
	bool verbose;
	bool quiet;
	struct session *session;
	struct ktap_marks sum;
};

static int mark_option(void *ctx, int key, const char *value, struct diag *d)
{
	struct marker *m = ctx;

	(void)value;
	(void)d;
	if (key == OPT_STRICT)
		m->strict = true;
	else if (key == 'v')
		m->verbose = true;
	else
		m->quiet = true;
	return 0;
}

static int check_text(const char *text, size_t size, struct diag *d)
{
	const char *nul = memchr(text, 0, size);

	if (!size)
		return diag_set(d, -EINVAL, DIAG_MARK_EMPTY);
	if (nul)
		return diag_set(d, -EINVAL, DIAG_MARK_NUL,
				(size_t)(nul - text) + 1);
	if (size > KTAP_MARK_MAX) {
		diag_set(d, -EINVAL, DIAG_MARK_SIZE, size, KTAP_MARK_MAX);
		diag_hint(d, "write several marks; 'ktap mark -' makes one of each line");
		return -EINVAL;
	}
	return 0;
}

static int put_mark(struct marker *m, const char *text, size_t size,
		    struct diag *d)
{
	struct ktap_marks now;
	int err;

	err = check_text(text, size, d);
	if (!err && !m->session)
		err = session_open_marker(d, &m->session);
	if (!err)
		err = session_mark(m->session, text, size, d, &now);
	if (err)
		return err;
	m->sum.recorded += now.recorded;
	m->sum.lost_full += now.lost_full;
	m->sum.lost_no_ring += now.lost_no_ring;
	if (m->verbose)
		say_note("the mark is in %llu session%s",
			 (unsigned long long)now.recorded, fmt_s(now.recorded));
	return 0;
}

/* A line without a text separates others; where it is in time says nothing. */
static int mark_lines(struct marker *m, struct diag *d, size_t *line)
{
	_cleanup_free_ char *text = NULL;
	size_t room = 0;
	ssize_t size;
	int err = 0;

	while (!err && (size = getline(&text, &room, stdin)) >= 0) {
		++*line;
		if (text[size - 1] == '\n')
			size--;
		if (size)
			err = put_mark(m, text, size, d);
	}
	if (err || !ferror(stdin))
		return err;
	*line = 0;
	return diag_set(d, -errno, DIAG_INPUT_READ, "standard input",
			strerror(errno));
}

static int run(struct marker *m, const struct words *words)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct buf text = BUF_INIT;
	char where[64] = "";
	size_t line = 0;
	int err;

	words_join(words, &text);
	if (!words->nr)
		err = diag_set(&d, -EINVAL, DIAG_MISSING_WORD, "a text");
	else if (words->nr == 1 && !strcmp(words->word[0], "-"))
		err = mark_lines(m, &d, &line);
	else if (text.failed)
		err = diag_no_memory(&d);
	else
		err = put_mark(m, buf_str(&text), text.size, &d);
	buf_deinit(&text);
	if (!err)
		return 0;
	if (line)
		snprintf(where, sizeof(where), "standard input:%zu", line);
	return say_failure(&d, line ? where : NULL);
}

int cmd_mark(int argc, char **argv)
{
	_cleanup_diag_ struct diag d = { 0 };
	struct marker m = { 0 };
	struct words words;
	uint64_t lost;
	int status, ret;

	ret = options_parse(&usage, argc, argv, mark_option, &m, &d, &words);
	if (ret)
		return ret > 0 ? 0 : say_failure(&d, NULL);
	status = run(&m, &words);
	session_close(m.session);
	lost = m.sum.lost_full + m.sum.lost_no_ring;
	if (!m.quiet)
		marks_losses(&m.sum);
	if (lost && m.strict && !status)
		status = DIAG_EXIT_FAILED;
	return status;
}
