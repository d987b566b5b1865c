/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The verbs of the command line. Each is one file, cmd_<verb>.c, which parses
 * its words, calls the library, and prints.
 */
#ifndef KTAP_CLI_CMD_H
#define KTAP_CLI_CMD_H

/**
 * cmd_add() - define an event, or the events of a bundle
 * @argc: number of words
 * @argv: verb and words
 *
 * All words together are one definition. A line "-:NAME" deletes an event. With -n it
 * prints the complete definition and adds nothing.
 *
 * Return: exit status of the process.
 */
int cmd_add(int argc, char **argv);

/**
 * cmd_bundle() - compile definitions for other machines, or show a bundle
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
int cmd_bundle(int argc, char **argv);

/**
 * cmd_module() - make a kernel module that has probes
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
int cmd_module(int argc, char **argv);

/**
 * cmd_del() - delete events, also from the sessions that have them
 * @argc: number of words
 * @argv: verb and words
 *
 * If a word matches no event, nothing is deleted.
 *
 * Return: exit status of the process.
 */
int cmd_del(int argc, char **argv);

/**
 * cmd_mark() - put text into all sessions that record
 * @argc: number of words
 * @argv: verb and words
 *
 * All words together are one text. The word "-" stands for the lines of standard input.
 *
 * Return: exit status of the process.
 */
int cmd_mark(int argc, char **argv);

/**
 * cmd_disable() - stop the counting of events that cmd_enable() began
 * @argc: number of words
 * @argv: verb and words
 *
 * Sessions are not affected.
 *
 * Return: exit status of the process.
 */
int cmd_disable(int argc, char **argv);

/**
 * cmd_enable() - have events count their hits without a session
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
int cmd_enable(int argc, char **argv);

/**
 * cmd_funcs() - list functions, system calls, tracepoints or USDT probes
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
int cmd_funcs(int argc, char **argv);

/**
 * cmd_index() - build an index that speeds up lookups in debug information
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
int cmd_index(int argc, char **argv);

/**
 * cmd_line() - show lines of source, and which of them have code
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
int cmd_line(int argc, char **argv);

/**
 * cmd_list() - list the events that are defined
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
int cmd_list(int argc, char **argv);

/**
 * cmd_load() - define the events that a file lists
 * @argc: number of words
 * @argv: verb and words
 *
 * All lines are compiled before the first event is added. If a line is wrong, or the
 * kernel refuses one, no event is added. Events that a line "-:NAME" before the refused
 * line deleted stay deleted.
 *
 * Return: exit status of the process.
 */
int cmd_load(int argc, char **argv);

/**
 * cmd_record() - write hits to a file
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process; see capture_run().
 */
int cmd_record(int argc, char **argv);

/**
 * cmd_run() - print or write the hits of a bundle or of a probe module
 * @argc: number of words
 * @argv: verb and words
 *
 * A probe module is loaded and unloaded.
 *
 * Return: exit status of the process; see capture_run() and module_run().
 */
int cmd_run(int argc, char **argv);

/**
 * cmd_script() - print the hits of a recording
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
int cmd_script(int argc, char **argv);

/**
 * cmd_stat() - count hits, or show the counts of all events
 * @argc: number of words
 * @argv: verb and words
 *
 * With definitions or -e it counts in a session of its own. Without them it shows what
 * the module has counted until now.
 *
 * Return: exit status of the process; see capture_run().
 */
int cmd_stat(int argc, char **argv);

/**
 * cmd_status() - show what the kernel and the module support
 * @argc: number of words
 * @argv: verb and words
 *
 * It prints what it can find out also if the module does not answer.
 *
 * Return: exit status of the process; not 0 if the module does not answer.
 */
int cmd_status(int argc, char **argv);

/**
 * cmd_trace() - print hits as they occur
 * @argc: number of words
 * @argv: verb and words
 *
 * Probes that it defines exist until it ends.
 *
 * Return: exit status of the process; see capture_run().
 */
int cmd_trace(int argc, char **argv);

/**
 * cmd_vars() - show the variables that a definition can use at a place
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process.
 */
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
 * cmd_graph() - show what a function calls, and how long each call took
 * @argc: number of words
 * @argv: verb and words
 *
 * Return: exit status of the process; see capture_run().
 */
int cmd_graph(int argc, char **argv);

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
