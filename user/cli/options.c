// SPDX-License-Identifier: GPL-2.0
/* Command lines from tables, over getopt_long. */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bundle/bundle.h"
#include "cli/say.h"
#include "cli/verbs.h"

#define ROWS_MAX 32
#define OPT_HELP 'h'

static const struct option_row help_rows[] = {
	{ OPT_HELP, "help", NULL, "print this help" },
	{ 0 }
};

/* struct tables - the rows of a usage in the form that getopt_long wants */
struct tables {
	char shorts[2 * ROWS_MAX + 3];
	struct option longs[ROWS_MAX + 1];
	size_t nr_shorts;
	size_t nr_longs;
};

static void tables_add(struct tables *t, const struct option_row *row)
{
	for (; row && row->help && t->nr_longs < ROWS_MAX; row++) {
		t->longs[t->nr_longs++] = (struct option){
			.name = row->name,
			.has_arg = row->value ? required_argument : no_argument,
			.val = row->key,
		};
		if (row->key >= OPTION_LONG_ONLY)
			continue;
		t->shorts[t->nr_shorts++] = row->key;
		if (row->value)
			t->shorts[t->nr_shorts++] = ':';
	}
}

static void tables_init(struct tables *t, const struct usage *usage)
{
	memset(t, 0, sizeof(*t));
	/* '+': stop at the first word; ':': tell a missing value apart */
	if (usage->joins_words)
		t->shorts[t->nr_shorts++] = '+';
	t->shorts[t->nr_shorts++] = ':';
	tables_add(t, usage->rows);
	tables_add(t, usage->more);
	tables_add(t, help_rows);
}

static void print_rows(const struct option_row *row)
{
	for (; row && row->help; row++) {
		char left[40];
		int n = 0;

		if (row->key < OPTION_LONG_ONLY)
			n = snprintf(left, sizeof(left), "-%c, ", row->key);
		else
			n = snprintf(left, sizeof(left), "    ");
		snprintf(left + n, sizeof(left) - n, "--%s%s%s", row->name,
			 row->value ? "=" : "", row->value ? row->value : "");
		printf("  %-25s %s\n", left, row->help);
	}
}

static void print_usage(const struct usage *usage, const char *verb)
{
	printf("usage: %s %s %s\n\n%s\n\n", program_name, verb,
	       usage->synopsis, usage->about);
	print_rows(usage->rows);
	print_rows(usage->more);
	print_rows(help_rows);
}

static bool is_known(const struct tables *t, int key)
{
	for (size_t i = 0; i < t->nr_longs; i++) {
		if (t->longs[i].val == key)
			return true;
	}
	return false;
}

/*
 * Whether the word before the next one is what getopt_long just refused. It is
 * not yet where an unknown letter is followed by others ("-zv").
 */
static bool is_long(const struct tables *t, char **argv)
{
	return !strncmp(argv[optind - 1], "--", 2) &&
	       (!optopt || is_known(t, optopt));
}

static int refuse(const struct tables *t, char **argv, int ret, struct diag *d)
{
	const char letter[] = { '-', optopt, '\0' }, *arg = argv[optind - 1];
	enum diag_code code = DIAG_OPTION_UNKNOWN;

	if (ret == ':')
		code = DIAG_OPTION_NO_VALUE;
	else if (is_long(t, argv) && optopt && strchr(arg, '='))
		code = DIAG_OPTION_SPARE_VALUE;
	diag_set(d, -EINVAL, code, is_long(t, argv) ? arg : letter);
	diag_hint(d, "'%s %s --help' lists the options", program_name, argv[0]);
	return -EINVAL;
}

/* The command behind the first "--" is no business of the parser. */
static int split_command(const struct usage *usage, int argc, char **argv,
			 struct words *words, struct diag *d)
{
	words->command = NULL;
	if (!usage->takes_command)
		return argc;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--"))
			continue;
		if (!argv[i + 1])
			return diag_set(d, -EINVAL, DIAG_MISSING_WORD,
					"a command behind '--'");
		words->command = argv + i + 1;
		return i;
	}
	return argc;
}

/* "-:NAME" is a definition, though it looks like an option. */
static bool at_definition(const struct usage *usage, int argc, char **argv)
{
	/* behind a word that is kept for later, getopt has to put them in order */
	return (usage->joins_words || optind == 1) && optind < argc &&
	       !strncmp(argv[optind], "-:", 2);
}

/*
 * A definition in a program may begin with "-x PATH ", within its word. getopt() would
 * parse it as an option, wherever it stands, so another word replaces it meanwhile.
 */
#define IN_PROGRAM "-x "

/**
 * struct hidden - words that getopt() must not see
 * @room: in place of each word of the command line an empty string
 * @word: the words themselves, NULL where getopt() sees them
 * @nr: how many there are
 */
struct hidden {
	char *room;
	char **word;
	int nr;
};

static void unhide(struct hidden *h, char **word)
{
	if (*word >= h->room && *word < h->room + h->nr)
		*word = h->word[*word - h->room];
}

static int hide(struct hidden *h, int argc, char **argv, struct diag *d)
{
	h->room = calloc(argc, 1);
	h->word = calloc(argc, sizeof(*h->word));
	if (!h->room || !h->word)
		return diag_no_memory(d);
	h->nr = argc;
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], IN_PROGRAM, strlen(IN_PROGRAM)))
			continue;
		h->word[i] = argv[i];
		argv[i] = &h->room[i];
	}
	return 0;
}

/* Return: as options_parse(). */
static int parse(const struct usage *usage, int argc, char **argv,
		 struct hidden *h, option_fn fn, void *ctx, struct diag *d)
{
	struct tables t;
	int key, err;

	tables_init(&t, usage);
	opterr = 0;
	while (!at_definition(usage, argc, argv)) {
		key = getopt_long(argc, argv, t.shorts, t.longs, NULL);
		if (key < 0)
			break;
		if (key == '?' || key == ':')
			return refuse(&t, argv, key, d);
		if (key == OPT_HELP) {
			print_usage(usage, argv[0]);
			return 1;
		}
		unhide(h, &optarg);
		/* OPTION_QUIET, of whatever command */
		if (key == 'q')
			say_quiet();
		err = fn(ctx, key, optarg, d);
		if (err)
			return err;
	}
	return 0;
}

int options_parse(const struct usage *usage, int argc, char **argv,
		  option_fn fn, void *ctx, struct diag *d, struct words *ret)
{
	struct hidden h = { 0 };
	int n;

	argc = split_command(usage, argc, argv, ret, d);
	if (argc < 0)
		return argc;
	n = hide(&h, argc, argv, d);
	if (!n)
		n = parse(usage, argc, argv, &h, fn, ctx, d);
	for (int i = 1; i < argc; i++)
		unhide(&h, &argv[i]);
	free(h.room);
	free(h.word);
	ret->word = argv + optind;
	ret->nr = argc - optind;
	return n;
}

static int bad_value(const char *value, const char *name, const char *wanted,
		     struct diag *d)
{
	diag_set(d, -EINVAL, DIAG_OPTION_BAD_VALUE, value, name);
	diag_hint(d, "it takes %s", wanted);
	return -EINVAL;
}

int option_pid(const char *value, const char *name, struct diag *d, pid_t *ret)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(value, &end, 10);
	if (errno || end == value || *end || n <= 0 || n > INT32_MAX)
		return bad_value(value, name, "the number of a process", d);
	*ret = n;
	return 0;
}

int option_count(const char *value, const char *name, const char *unit,
		 uint64_t max, struct diag *d, uint64_t *ret)
{
	unsigned long long n;
	char *end;

	errno = 0;
	n = strtoull(value, &end, 10);
	if (unit && !strcmp(end, unit))
		end += strlen(unit);
	if (errno || !isdigit((unsigned char)*value) || *end || !n || n > max) {
		diag_set(d, -EINVAL, DIAG_OPTION_BAD_VALUE, value, name);
		diag_hint(d, "it takes a number from 1 to %llu%s",
			  (unsigned long long)max, unit ? unit : "");
		return -EINVAL;
	}
	*ret = n;
	return 0;
}

int option_seconds(const char *value, const char *name, struct diag *d,
		   uint64_t *ret_ns)
{
	char *end;
	double n;

	n = strtod(value, &end);
	if (end == value || *end || !(n > 0 && n < 1e9))
		return bad_value(value, name, "seconds, such as 10 or 0.5", d);
	*ret_ns = n * 1e9 + 0.5; /* 2.01 is a little less */
	/* 0 is no time at all for those who ask */
	if (!*ret_ns)
		*ret_ns = 1;
	return 0;
}

/* Less than what commands wait for records would not be what is shown. */
int option_interval(const char *value, struct diag *d, uint64_t *ret_ns)
{
	int err = option_seconds(value, "--interval", d, ret_ns);

	if (err || *ret_ns >= 100000000)
		return err;
	return bad_value(value, "--interval", "0.1 second, or more", d);
}

int option_percent(const char *value, const char *name, struct diag *d,
		   double *ret)
{
	char *end;
	double n;

	n = strtod(value, &end);
	if (end == value || *end || !(n >= 0 && n <= 100))
		return bad_value(value, name, "a percentage, such as 5 or 0.5", d);
	*ret = n;
	return 0;
}

int option_size(const char *value, const char *name, struct diag *d,
		uint64_t *ret)
{
	static const char units[] = "KMG";
	unsigned long long n;
	const char *unit;
	char *end;

	errno = 0;
	n = strtoull(value, &end, 10);
	unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
	if (unit) {
		unsigned int shift = 10 * (unit - units + 1);

		if (n > UINT64_MAX >> shift)
			errno = ERANGE;
		n <<= shift;
		end++;
	}
	if (errno || !isdigit((unsigned char)*value) || *end || !n)
		return bad_value(value, name, "bytes, such as 65536, 512K or 4M",
				 d);
	*ret = n;
	return 0;
}

void words_join(const struct words *words, struct buf *ret)
{
	for (int i = 0; i < words->nr; i++)
		buf_printf(ret, "%s%s", i ? " " : "", words->word[i]);
}

static bool has_bundle(const struct words *words)
{
	for (int i = 0; words && i < words->nr; i++)
		if (bundle_is_one(words->word[i]))
			return true;
	return false;
}

int options_check_bundle(const char *root, bool skip, const struct words *words,
			 const struct words *more, struct diag *d)
{
	if ((!root && !skip) || has_bundle(words) || has_bundle(more))
		return 0;
	return diag_set(d, -EINVAL, DIAG_OPTION_NEEDS, root ? "--root" : "--skip",
			"F.ktap");
}
