// SPDX-License-Identifier: GPL-2.0
/* Has the name of a function of the kernel, and is not the kernel. */
#ifdef ANCHOR
void _stext(void)
{
}
#endif

int vfs_read(int fd)
{
	fd++;
	return fd;
}
