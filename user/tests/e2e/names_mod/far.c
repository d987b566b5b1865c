// SPDX-License-Identifier: GPL-2.0
/* The other unit of the program. */
#include "corpus/far.c"
