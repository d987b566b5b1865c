// SPDX-License-Identifier: GPL-2.0
/*
 * A line that only calls a function which is inlined, so that the line table may
 * have no row for it: perf places a probe there, gdb and ktap find no code.
 */
struct file { struct { void *data; } *inode; };
static inline __attribute__((always_inline)) void *data(struct file *file)
{
	return file->inode->data;
}

__attribute__((noinline)) long id_read(struct file *file, char *to)
{
	int id = (long)data(file);
	char text[32];

	text[0] = id;
	__asm__ volatile("" : : "r"(text) : "memory");
	if (!id)
		return -22;
	*to = text[0];
	return id;
}

int main(int argc, char **argv)
{
	struct file file = { (void *)&argv };

	return id_read(&file, argv[0]) + argc;
}
