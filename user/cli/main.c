// SPDX-License-Identifier: GPL-2.0
/* The command line up to the verb, and the end of the process. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/suggest.h"
#include "base/waiting.h"
#include "cli/pager.h"
#include "cli/say.h"
#include "cli/verbs.h"

static int print_verbs(FILE *out, int status)
{
	fprintf(out, "usage: %s [--no-pager] COMMAND [OPTION...] [WORD...]\n\n",
		program_name);
	for (const struct verb *v = verbs; v->name; v++)
		if (v->summary)
			fprintf(out, "  %-9s%s\n", v->name, v->summary);
	fprintf(out, "\nSee '%s COMMAND --help' and 'man ktap-COMMAND'.\n",
		program_name);
	return status;
}

static int unknown(const char *word)
{
	struct diag d = { 0 };
	struct suggest near;

	diag_set(&d, -1, *word == '-' ? DIAG_OPTION_UNKNOWN : DIAG_NO_VERB,
		 word);
	suggest_init(&near, word, strlen(word));
	for (const struct verb *v = verbs; v->name; v++)
		if (v->summary)
			suggest_try(&near, v->name);
	suggest_hint(&near, "", &d);
	diag_hint(&d, "'%s --help' lists the commands", program_name);
	return say_failure(&d, NULL);
}

static const struct verb *find_verb(const char *name)
{
	for (const struct verb *v = verbs; v->name; v++)
		if (!strcmp(name, v->name))
			return v;
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
		printf("%s " KTAP_VERSION "\n", program_name);
		return 0;
	}
	if (!strcmp(argv[1], "help"))
		return show_help(argv[2]);
	verb = find_verb(argv[1]);
	if (!verb)
		return unknown(argv[1]);
	if (may_page && verb->pages)
		pager_start();
	return verb->run(argc - 1, argv + 1);
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

/*
 * A standard descriptor that is closed would become the one of the next file that is opened,
 * so that messages went into a recording. The wrong direction makes using it an error still.
 */
static void open_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
	}
}

int main(int argc, char **argv)
{
	struct sigaction action = {
		.sa_sigaction = on_bus_error,
		.sa_flags = SA_SIGINFO,
	};
	int status;

	open_standard();
	sigaction(SIGBUS, &action, NULL);
	/* A closed pipe is an error that a write reports, not a sudden end. */
	signal(SIGPIPE, SIG_IGN);
	waiting_watch(say_waiting);
	status = say_close(run(argc, argv));
	pager_wait();
	return status;
}
