/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The verbs of the command line. Each is one file, cmd_<verb>.c, which parses
 * its words, calls the library, and prints.
 */
#ifndef KTAP_CLI_CMD_H
#define KTAP_CLI_CMD_H

/* argv[0] is the verb. Return: exit status of the process. */
int cmd_add(int argc, char **argv);
int cmd_bundle(int argc, char **argv);
int cmd_module(int argc, char **argv);
int cmd_del(int argc, char **argv);
int cmd_disable(int argc, char **argv);
int cmd_enable(int argc, char **argv);
int cmd_funcs(int argc, char **argv);
int cmd_index(int argc, char **argv);
int cmd_line(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_load(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_script(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_vars(int argc, char **argv);

/**
 * cmd_count() - count hits by key
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
int cmd_count(int argc, char **argv);

/**
 * cmd_hist() - make histograms of values by key
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
int cmd_hist(int argc, char **argv);

/**
 * cmd_stats() - find average, minimum and maximum of values by key
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
int cmd_stats(int argc, char **argv);

/**
 * cmd_top() - show hits by key as they occur
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
int cmd_top(int argc, char **argv);

/**
 * cmd_sum() - add up values by key
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
int cmd_sum(int argc, char **argv);

/**
 * cmd_report() - summarize a recording
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
int cmd_report(int argc, char **argv);

#endif /* KTAP_CLI_CMD_H */
