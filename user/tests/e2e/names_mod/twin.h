/* SPDX-License-Identifier: GPL-2.0 */
/* Two functions of one name, in files of their own, which their callers tell apart. */
#ifndef NAMES_TWIN_H
#define NAMES_TWIN_H

long names_call_a(long n);
long names_call_b(long n);

#endif /* NAMES_TWIN_H */
