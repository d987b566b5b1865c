// SPDX-License-Identifier: GPL-2.0
/* Where the parts of a file are in memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "dwarf/map.h"

/* A module as its file has it, and where the kernel put its sections */
static struct debug_map module_map(void)
{
	struct debug_map map = {};

	assert_true(debug_map_add(&map, (struct debug_area){
		0x1000, 0x2000, 0xc0000000, DEBUG_AREA_THERE }));
	assert_true(debug_map_add(&map, (struct debug_area){
		0x2000, 0x2100, 0, DEBUG_AREA_FREED }));
	assert_true(debug_map_add(&map, (struct debug_area){
		0x2100, 0x2200, -0x2000, DEBUG_AREA_PERCPU }));
	assert_true(debug_map_add(&map, (struct debug_area){
		0x2200, 0x3000, 0xd0000000, DEBUG_AREA_THERE }));
	assert_true(debug_map_add(&map, (struct debug_area){
		0x3000, 0x3100, 0, DEBUG_AREA_UNKNOWN }));
	return map;
}

static void test_there(void **state)
{
	struct debug_map map = module_map();

	assert_int_equal(debug_map_find(&map, 0x1fff).slide, 0xc0000000);
	assert_int_equal(debug_map_find(&map, 0x2000).kind, DEBUG_AREA_FREED);
	assert_int_equal(debug_map_find(&map, 0x21ff).kind, DEBUG_AREA_PERCPU);
	assert_int_equal(debug_map_find(&map, 0x2200).slide, 0xd0000000);
	assert_int_equal(debug_map_find(&map, 0x3000).kind,
			 DEBUG_AREA_UNKNOWN);
	assert_int_equal(debug_map_find(&map, 0xfff).kind, DEBUG_AREA_UNKNOWN);
	assert_int_equal(debug_map_find(NULL, 0xfff).kind, DEBUG_AREA_THERE);
	debug_map_deinit(&map);
	assert_null(map.area);
}

static void test_back(void **state)
{
	struct debug_map map = module_map();
	uint64_t address;

	assert_true(debug_map_back(&map, 0xc0001234, &address));
	assert_int_equal(address, 0x1234);
	assert_true(debug_map_back(&map, 0xd0002fff, &address));
	assert_int_equal(address, 0x2fff);
	/* behind the end, in front of it, and where no code is */
	address = 5;
	assert_false(debug_map_back(&map, 0xd0003000, &address));
	assert_false(debug_map_back(&map, 0xc0000fff, &address));
	assert_false(debug_map_back(&map, 0x110, &address));
	assert_false(debug_map_back(&map, 0x2010, &address));
	assert_int_equal(address, 5);
	debug_map_deinit(&map);
}

static void test_has(void **state)
{
	struct debug_map map = module_map();

	assert_true(debug_map_has(&map, 0xc0001000));
	assert_true(debug_map_has(&map, 0x1ff));
	assert_false(debug_map_has(&map, 0x200));
	assert_false(debug_map_has(&map, 0x2010));
	assert_false(debug_map_has(&map, 0x3010));
	assert_false(debug_map_has(NULL, 0xc0001000));
	debug_map_deinit(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_there),
		cmocka_unit_test(test_back),
		cmocka_unit_test(test_has),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
