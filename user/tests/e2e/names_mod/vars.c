// SPDX-License-Identifier: GPL-2.0
/* The program of the corpus as a part of a module. */
#include "corpus/vars.c"
