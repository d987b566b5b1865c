// SPDX-License-Identifier: GPL-2.0
/* A system call with six arguments that are known, and refused: mmap(). */
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	return syscall(SYS_mmap, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66) != -1;
}
