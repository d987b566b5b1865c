/* SPDX-License-Identifier: GPL-2.0 */
/* Types as a recording has them. */
#ifndef KTAP_TESTS_TYPE_TABLE_H
#define KTAP_TESTS_TYPE_TABLE_H

#include <stdint.h>

struct btf;

/* type_table() - written and read again: @type of @from and all that it is made
 * of. @id: the type's number there. The caller frees the table. Fails the test.
 */
struct btf *type_table(const struct btf *from, uint32_t type, uint32_t *id);

#endif /* KTAP_TESTS_TYPE_TABLE_H */
