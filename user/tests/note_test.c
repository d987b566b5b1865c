// SPDX-License-Identifier: GPL-2.0
/* Build-ids among the notes of ELF files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>

#include "base/note.h"

struct gnu {
	Elf64_Nhdr h;
	char name[4];
	uint8_t id[20];
};

static const struct gnu like = {
	{ 4, 20, NT_GNU_BUILD_ID }, "GNU", { 9, 8, 7 },
};

static void test_found(void **state)
{
	static const Elf64_Nhdr xen = { 4, 6, 1 };
	size_t before = 12 + 4 + 8, nr = 0;
	uint8_t notes[256] = {};
	const uint8_t *id;

	/* the first note's name is 4 bytes, its value 6 in 8 */
	memcpy(notes, &xen, 12);
	memcpy(notes + 12, "Xen", 4);
	memcpy(notes + 16, "abcdef", 6);
	memcpy(notes + before, &like, sizeof(like));
	id = note_build_id(notes, before + sizeof(like), &nr);
	assert_ptr_equal(id, notes + before + offsetof(struct gnu, id));
	assert_int_equal(nr, 20);
	assert_null(note_build_id(notes, before, &nr));
	assert_null(note_build_id(notes, before + sizeof(like) - 1, &nr));
	assert_null(note_build_id(notes, 0, &nr));
}

static void test_others(void **state)
{
	struct gnu note = like;
	size_t nr;

	assert_non_null(note_build_id(&note, sizeof(note), &nr));
	note.name[2] = 'V';
	assert_null(note_build_id(&note, sizeof(note), &nr));
	note = like;
	note.h.n_type++;
	assert_null(note_build_id(&note, sizeof(note), &nr));
	note = like;
	note.h.n_namesz = 3;
	assert_null(note_build_id(&note, sizeof(note), &nr));
}

static void test_damaged(void **state)
{
	struct gnu note = like;
	size_t nr;

	note.h.n_descsz = 24;
	assert_null(note_build_id(&note, sizeof(note), &nr));
	note.h.n_descsz = UINT32_MAX;
	assert_null(note_build_id(&note, sizeof(note), &nr));
	note = like;
	note.h.n_namesz = UINT32_MAX;
	assert_null(note_build_id(&note, sizeof(note), &nr));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_damaged),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
