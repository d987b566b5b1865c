// SPDX-License-Identifier: GPL-2.0
/*
 * Loops of commands whose words are chosen by chance: graphs, maps, state, stacks and
 * recordings of them. They are killed now and then, wherever they are. None may be killed by
 * anything else.
 */
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../base/array.h"
#include "torture.h"

#define WORDS_MAX 24
/* Of a command that got a signal, on a slow machine. */
#define PATIENCE_MS 120000

/* struct line - a command */
struct line {
	char text[WORDS_MAX][160];
	const char *argv[WORDS_MAX + 1];
	unsigned int nr;
};

__attribute__((format(printf, 2, 3))) static void word(struct line *l, const char *format, ...)
{
	va_list args;

	if (l->nr == WORDS_MAX)
		abort();
	va_start(args, format);
	vsnprintf(l->text[l->nr], sizeof(l->text[0]), format, args);
	va_end(args);
	l->argv[l->nr] = l->text[l->nr];
	l->argv[++l->nr] = NULL;
}

#define ONE_OF(c, list) ((list)[chance_below(c, ARRAY_SIZE(list))])

/* ---- how a command ends --------------------------------------------------------------- */

static void tell_line(const char *what, const struct line *l)
{
	printf("not ok - %s:", what);
	for (unsigned int i = 0; i < l->nr; i++)
		printf(" '%s'", l->argv[i]);
	putchar('\n');
}

/* Return: whether it was killed by a signal that it did not get from here. */
static bool crashed(const struct line *l, int status, int sent)
{
	if (!WIFSIGNALED(status) || WTERMSIG(status) == sent)
		return false;
	tell_line(strsignal(WTERMSIG(status)), l);
	return true;
}

/* Return: whether it names functions of a module that may not be there. */
static bool may_be_absent(const struct line *l)
{
	return strstr(l->argv[l->nr - 1], "ktap_target:");
}

/* Waits for its end. Return: its status, or -1. */
static int run_line(const struct line *l)
{
	int pid = start(l->argv), status = -1;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || crashed(l, status, 0))
		return -1;
	if (WEXITSTATUS(status) == 2 && !may_be_absent(l)) {
		tell_line("refused", l);
		return -1;
	}
	return status;
}

/* It gets @signal after some time. Return: its status, or -1 where that is not as it has to be. */
static int end_line(const struct line *l, unsigned int ms, int signal)
{
	int pid = start(l->argv), status;

	if (pid < 0)
		return -1;
	sleep_ms(ms);
	kill(pid, signal);
	status = await(pid, PATIENCE_MS);
	if (signal != SIGKILL && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		signal = 0;
	return crashed(l, status, signal) ? -1 : status;
}

/* By itself, or killed while it begins, works or ends. */
static bool run_or_kill(const struct line *l, struct chance *c)
{
	static const int signals[] = { SIGKILL, SIGKILL, SIGINT, SIGTERM };

	if (chance_below(c, 2))
		return run_line(l) >= 0;
	return end_line(l, chance_below(c, 4000), ONE_OF(c, signals)) >= 0;
}

/* ---- graphs ----------------------------------------------------------------------------- */

/* Also a function that calls itself, those of a module that is removed, and of interrupts. */
static const char *const graphed[] = {
	"vfs_read",	   "vfs_write",	     "do_sys_openat2",		"torture_task",
	"torture_deep",	   "torture_sleep",  "torture_hardirq",		"schedule_timeout",
	"handle_mm_fault", "torture_softirq", "ktap_target:call_args", "ktap_target:call_returns",
};

static bool graph(struct chance *c)
{
	struct line l = { 0 };

	word(&l, "ktap");
	word(&l, "graph");
	word(&l, "-aq");
	word(&l, "--depth=%u", 1 + chance_below(c, 4));
	word(&l, "--functions=%u", 1 + chance_below(c, 48));
	word(&l, "--timeout=0.4");
	word(&l, "-b");
	word(&l, "%uK", 32U << chance_below(c, 5));
	if (chance_below(c, 2))
		word(&l, "--json");
	if (!chance_below(c, 3))
		word(&l, "--max=%u", 1 + chance_below(c, 20));
	word(&l, "%s%s", ONE_OF(c, graphed), chance_below(c, 4) ? "" : " if $pid & 1");
	return run_or_kill(&l, c);
}

/* ---- maps --------------------------------------------------------------------------------- */

/**
 * struct spot - where hits come from
 * @place: in the words of a definition
 * @number: a number there
 * @in: -x: a function of this program
 */
struct spot {
	const char *place, *number;
	bool in;
};

static const struct spot spots[] = {
	{ "torture_task", "%di" },
	{ "torture_task%return", "$retval" },
	{ "torture_deep_inside", "%ax" },
	{ "torture_deep%return", "$retval" },
	{ "torture_softirq", "%di" },
	{ "torture_softirq%return", "$retval" },
	{ "torture_hardirq", "%di" },
	{ "torture_hardirq%return", "$retval" },
	{ "torture_nmi", "%di" },
	{ "torture_nmi%return", "$retval" },
	{ "tracepoint:ktap_torture_event", "$arg1" },
	{ "tracepoint:sched_switch", "$now" },
	{ "timer:499hz", "%ip" },
	{ "sys:read", "%di" },
	{ "vfs_read%return", "$retval" },
	{ "ktap_target:ktap_target_args2", "%di" },
	{ "u_torture", "%di", true },
	{ "u_deep%return", "$retval", true },
};

/* Programs and system calls have no stack of the kernel. */
static void add_keys(char *text, size_t size, const struct spot *spot, struct chance *c)
{
	static const char *const keys[] = {
		"$kstack", "$kstack(3)", "$comm", "$pid", "$tid", "$cpu", "$ustack", "$ustack(2)",
		"$now", "$cpu+1",
	};
	const unsigned int first = spot->in || !strncmp(spot->place, "sys:", 4) ? 2 : 0;
	unsigned int i, nr = chance_below(c, 4);

	for (i = 0; i < nr; i++) {
		strncat(text, i ? " " : " by ", size - strlen(text) - 1);
		strncat(text, keys[first + chance_below(c, ARRAY_SIZE(keys) - first)],
			size - strlen(text) - 1);
	}
}

/* A table has room for few of the keys, or for all. */
static bool maps(struct chance *c)
{
	static const char *const verbs[] = { "count", "sum", "hist", "stats", "top" };
	const struct spot *spot = &ONE_OF(c, spots);
	const char *verb = ONE_OF(c, verbs);
	char text[128];
	struct line l = { 0 };

	word(&l, "ktap");
	word(&l, "%s", verb);
	word(&l, "-aq");
	word(&l, "--rows=%u", 1U << chance_below(c, 10));
	word(&l, "--timeout=0.4");
	if (chance_below(c, 2))
		word(&l, "--json");
	if (chance_below(c, 2))
		word(&l, "--interval=0.1");
	if (spot->in) {
		word(&l, "-x");
		word(&l, "/root/torture");
	}
	snprintf(text, sizeof(text), "%s", spot->place);
	if (strcmp(verb, "count") && strcmp(verb, "top"))
		snprintf(text, sizeof(text), "%s %s", spot->place, spot->number);
	add_keys(text, sizeof(text), spot, c);
	/* without a value and a key there is nothing to count by */
	if (!strchr(text, ' '))
		strcat(text, " by $cpu");
	word(&l, "%s", text);
	return run_or_kill(&l, c);
}

/* ---- state --------------------------------------------------------------------------------- */

/* What one probe stores a second one takes, in whatever context and on whatever CPU. */
static bool state(struct chance *c)
{
	static const char *const keys[] = { "$task", "$cpu", "$tid", "$pid", "1", "$cpu&1", "$now" };
	static const char *const uses[][2] = {
		{ "hist($now-$take(", ")) by $cpu" },
		{ "count() by $load(", ") $comm" },
		{ "stats($take(", ")) by $kstack(4)" },
		{ "store(", ",$now)" },
	};
	const char *const *use = ONE_OF(c, uses);
	struct line l = { 0 };
	const char *key = ONE_OF(c, keys);

	word(&l, "ktap");
	word(&l, "count");
	word(&l, "-aq");
	word(&l, "--rows=%u", 1U << chance_below(c, 10));
	word(&l, "--timeout=0.4");
	/* those of the kernel that run a program */
	word(&l, "%s store(%s,$now)", spots[chance_below(c, 12)].place, key);
	word(&l, "%s %s%s%s", spots[chance_below(c, 12)].place, use[0], key, use[1]);
	word(&l, "%s count() by $take(%s)", spots[chance_below(c, 12)].place, ONE_OF(c, keys));
	return run_or_kill(&l, c);
}

/* ---- recordings ------------------------------------------------------------------------------ */

#define FILE_PATH "/tmp/words.data"

/* What is in it is whole, or cut: it is read to its end, or to where it was cut. */
static bool read_back(struct chance *c, bool whole)
{
	static const char *const verbs[] = { "script", "report" };
	struct line l = { 0 };
	int status;

	word(&l, "ktap");
	word(&l, "%s", ONE_OF(c, verbs));
	word(&l, "-i");
	word(&l, FILE_PATH);
	status = run_line(&l);
	if (whole && status > 0)
		printf("not ok - ktap %s of a whole recording: status %#x\n", l.argv[1], status);
	return status >= 0;
}

/* Stacks of a timer, of tracepoints and of interrupts in one file. */
static bool recorded(struct chance *c)
{
	static const int signals[] = { SIGKILL, SIGINT, SIGTERM };
	static const char *const events[] = {
		"timer:99hz", "timer:499hz $kstack(8)", "tracepoint:ktap_torture_event $kstack",
		"tracepoint:sched_switch $ustack", "torture_hardirq", "torture_nmi $kstack",
		"torture_task%return $retval", "sys:write $ustack(5)",
		"torture_softirq count() by $kstack", "vfs_read hist(%dx) by $ustack",
	};
	struct line l = { 0 };
	unsigned int nr = 1 + chance_below(c, 4);
	int status;

	word(&l, "ktap");
	word(&l, "record");
	word(&l, "-aq");
	word(&l, "--timeout=0.4");
	word(&l, "-b");
	word(&l, "%uK", 32U << chance_below(c, 5));
	if (!chance_below(c, 3))
		word(&l, "--overwrite");
	else if (chance_below(c, 2))
		word(&l, "-g");
	word(&l, "-o");
	word(&l, FILE_PATH);
	while (nr--) {
		word(&l, "-e");
		word(&l, "%s", ONE_OF(c, events));
	}
	unlink(FILE_PATH);
	if (chance_below(c, 3))
		status = run_line(&l);
	else
		status = end_line(&l, 300 + chance_below(c, 4000), ONE_OF(c, signals));
	/* it may have been too early to write any */
	return status >= 0 && exists(FILE_PATH) &&
	       read_back(c, WIFEXITED(status) && !WEXITSTATUS(status));
}

const struct loop word_loops[] = { { "graph", NULL, NULL, graph, NULL },
				   { "maps", NULL, NULL, maps, NULL },
				   { "state", NULL, NULL, state, NULL },
				   { "recorded", NULL, NULL, recorded, NULL },
				   { NULL, NULL, NULL, NULL, NULL } };
