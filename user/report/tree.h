/* SPDX-License-Identifier: GPL-2.0 */
/* A call tree: paths that begin alike share the nodes of their common beginning. */
#ifndef KTAP_REPORT_TREE_H
#define KTAP_REPORT_TREE_H

#include "report/paths.h"

/**
 * struct tree_node - a name at the end of a beginning that paths share
 * @name: name; of a path
 * @parent: index of the node of the name before it; 0: it is an outermost name
 * @total: weight of all paths through it
 * @self: weight of the paths that end there
 * @first: where its children begin in struct tree.order
 * @nr: how many children
 */
struct tree_node {
	const char *name;
	size_t parent;
	__int128 total;
	__int128 self;
	size_t first;
	size_t nr;
};

/**
 * struct tree - nodes of paths
 * @node: nodes; the first one stands for all paths and has no name; owned
 * @nr: how many
 * @order: indices of all other nodes, the children of each node together and those with
 *	the largest total first; owned
 * @depth: names of the longest path
 */
struct tree {
	struct tree_node *node;
	size_t nr;
	size_t *order;
	size_t depth;
};

/**
 * struct tree_line - a line of a tree
 * @names: names from the outermost node to this one
 * @depth: how many names; of children that are omitted, the names of their parent
 * @omitted: not 0: the line is the sum of that many children that are too small
 * @total: weight of all paths through the node
 * @self: weight of the paths that end there; all of @total if it is a sum, so that the
 *	@self of all lines add up to the weight of all paths
 */
struct tree_line {
	const char *const *names;
	size_t depth;
	size_t omitted;
	__int128 total;
	__int128 self;
};

/* tree_fn - takes a line. Return: 0, or a negative error, which ends the walk. */
typedef int (*tree_fn)(void *ctx, const struct tree_line *line);

/**
 * tree_make() - make a tree
 * @t: zeros; release with tree_deinit(), also on failure
 * @p: paths, which are sorted, and must live as long as the tree
 *
 * Return: 0 or -ENOMEM.
 */
int tree_make(struct tree *t, struct paths *p);

/**
 * tree_walk() - take the lines of a tree: each node before its children
 * @t: tree
 * @min: percentage of the weight of all paths; nodes with a smaller total are omitted,
 *	with their children, and added up in one line after their siblings
 * @fn: called for each line
 * @ctx: of @fn
 *
 * Return: 0, -ENOMEM, or what @fn returned.
 */
int tree_walk(const struct tree *t, double min, tree_fn fn, void *ctx);

/**
 * tree_deinit() - release a tree
 * @t: tree
 */
void tree_deinit(struct tree *t);

#endif /* KTAP_REPORT_TREE_H */
