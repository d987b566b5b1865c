/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fuzz targets: each fuzz_NAME.c turns bytes into a case and says what is
 * wrong with the outcome. Built with clang's -fsanitize=fuzzer it is a target
 * of libFuzzer; fuzz_NAME_test.c gives it random bytes for a while.
 */
#ifndef KTAP_TESTS_FUZZ_H
#define KTAP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* A program that passes the verifier runs inside its bounds, and ends. */
const char *fuzz_verify(const uint8_t *data, size_t size);

/* Writers that interrupt each other, and readers who may lie. */
const char *fuzz_ring(const uint8_t *data, size_t size);

/* Debug information with bytes changed is read, or refused with a reason. */
const char *fuzz_dwarf(const uint8_t *data, size_t size);

/* An index with bytes changed is used as far as it makes sense. */
const char *fuzz_index(const uint8_t *data, size_t size);

/* Whatever the kernel answers, there is a result or a reason. */
const char *fuzz_answers(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/**
 * struct fuzz_bytes - the input, taken from the front
 * @at: next byte
 * @left: bytes left
 */
struct fuzz_bytes {
	const uint8_t *at;
	size_t left;
};

/* fuzz_byte() - the next byte; 0 behind the last. */
static inline uint8_t fuzz_byte(struct fuzz_bytes *b)
{
	if (!b->left)
		return 0;
	b->left--;
	return *b->at++;
}

static inline uint64_t fuzz_word(struct fuzz_bytes *b)
{
	uint64_t v = 0;
	int i;

	for (i = 0; i < 8; i++)
		v = v << 8 | fuzz_byte(b);
	return v;
}

#endif /* KTAP_TESTS_FUZZ_H */
