// SPDX-License-Identifier: GPL-2.0
/*
 * A program whose names steer a terminal: hostile.t turns each "evil_" of it,
 * in symbols, debug information and paths, into an escape sequence.
 */
struct evil_s {
	int evil_m;
};

enum evil_e {
	evil_one = 1
};

static volatile int evil_global;

static inline __attribute__((always_inline)) int evil_inl(int evil_p)
{
	evil_global += evil_p; /* evil_comment */
	return evil_global;
}

__attribute__((noinline)) int evil_f(struct evil_s *evil_v, enum evil_e evil_w)
{
	return evil_inl(evil_v->evil_m) + evil_w;
}

int main(int argc, char **evil_argv)
{
	struct evil_s evil_l = { argc };

	(void)evil_argv;
	return evil_f(&evil_l, evil_one) & 0;
}
