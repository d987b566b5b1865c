// SPDX-License-Identifier: GPL-2.0
#include "../../kmod/hit/plan.c"
