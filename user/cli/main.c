// SPDX-License-Identifier: GPL-2.0
/* The verb table, and nothing else. */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/suggest.h"
#include "cli/cmd.h"
#include "cli/pager.h"
#include "cli/say.h"

static const struct verb {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *summary;
	bool pages;	/* what it shows may be long */
} verbs[] = {
	{ "add", cmd_add, "define an event" },
	{ "del", cmd_del, "delete events" },
	{ "list", cmd_list, "list the events that are defined", true },
	{ "enable", cmd_enable, "count the hits of events without a session" },
	{ "disable", cmd_disable, "stop counting the hits of events without a session" },
	{ "load", cmd_load, "define the events that a file lists" },
	{ "funcs", cmd_funcs, "list what can be probed", true },
	{ "line", cmd_line, "show source code and the lines that can be probed", true },
	{ "vars", cmd_vars, "show the variables that are available at a place", true },
	{ "index", cmd_index, "build an index that speeds up lookups in debug information" },
	{ "trace", cmd_trace, "print hits as they occur" },
	{ "record", cmd_record, "write hits to a file" },
	{ "script", cmd_script, "print the hits of a recording", true },
	{ "bundle", cmd_bundle, "compile definitions for other machines" },
	{ "stat", cmd_stat, "count hits, or show the counts of events" },
	{ "status", cmd_status, "show what the kernel and the module support" },
};

static int print_verbs(FILE *out, int status)
{
	fputs("usage: ktap [--no-pager] COMMAND [OPTION...] [WORD...]\n\n", out);
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		fprintf(out, "  %-9s%s\n", verbs[i].name, verbs[i].summary);
	fputs("\nSee 'ktap COMMAND --help' and 'man ktap-COMMAND'.\n", out);
	return status;
}

static int unknown(const char *word)
{
	struct diag d = { 0 };
	struct suggest near;

	diag_set(&d, -1, *word == '-' ? DIAG_OPTION_UNKNOWN : DIAG_NO_VERB,
		 word);
	suggest_init(&near, word, strlen(word));
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		suggest_try(&near, verbs[i].name);
	suggest_hint(&near, "", &d);
	diag_hint(&d, "'ktap --help' lists the commands");
	return say_failure(&d, NULL);
}

static const struct verb *find_verb(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(name, verbs[i].name))
			return &verbs[i];
	return NULL;
}

/* ktap help VERB is ktap VERB --help. */
static int show_help(char *name)
{
	char option[] = "--help", *argv[] = { name, option, NULL };
	const struct verb *verb;

	if (!name)
		return print_verbs(stdout, 0);
	verb = find_verb(name);
	return verb ? verb->run(2, argv) : unknown(name);
}

static int run_verb(const struct verb *verb, int argc, char **argv,
		    bool may_page)
{
	if (may_page && verb->pages)
		pager_start();
	return verb->run(argc, argv);
}

static int run(int argc, char **argv)
{
	const struct verb *verb;
	bool may_page = true;

	if (argc > 1 && !strcmp(argv[1], "--no-pager")) {
		may_page = false;
		argc--;
		argv++;
	}
	if (argc < 2)
		return print_verbs(stderr, DIAG_EXIT_USAGE);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return print_verbs(stdout, 0);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V") ||
	    !strcmp(argv[1], "version")) {
		puts("ktap " KTAP_VERSION);
		return 0;
	}
	if (!strcmp(argv[1], "help"))
		return show_help(argv[2]);
	verb = find_verb(argv[1]);
	return verb ? run_verb(verb, argc - 1, argv + 1, may_page) :
		      unknown(argv[1]);
}

/* Files are mapped while they are read: one that becomes shorter is no bug of ours. */
static void on_bus_error(int number, siginfo_t *info, void *context)
{
	static const char text[] =
		"ktap: a file became shorter while it was read\n";

	(void)context;
	if (info->si_code != BUS_ADRERR) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	if (write(STDERR_FILENO, text, strlen(text)) < 0)
		_exit(DIAG_EXIT_FAILED); /* nobody is told, then */
	_exit(DIAG_EXIT_FAILED);
}

static void catch_bus_errors(void)
{
	struct sigaction action = {
		.sa_sigaction = on_bus_error,
		.sa_flags = SA_SIGINFO,
	};

	sigaction(SIGBUS, &action, NULL);
}

int main(int argc, char **argv)
{
	int status;

	catch_bus_errors();
	/* A closed pipe is an error that a write reports, not a sudden end. */
	signal(SIGPIPE, SIG_IGN);
	status = say_close(run(argc, argv));
	pager_wait();
	return status;
}
