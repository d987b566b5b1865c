/* SPDX-License-Identifier: GPL-2.0 */
/* BTF of a small kernel that is made up here. */
#ifndef KTAP_TESTS_BTF_MADE_H
#define KTAP_TESTS_BTF_MADE_H

#include "types/btf.h"

/* btf_made() - as C has it:
 *
 *	struct inode { unsigned long i_ino; };
 *	struct qstr { union { struct { u32 hash, len; }; u64 hash_len; };
 *		      const unsigned char *name; };
 *	struct dentry { struct inode *d_inode; struct qstr d_name; char d_iname[32]; };
 *	struct file { void *mnt; struct dentry *dentry; long long f_pos; u32 f_mode;
 *		      u32 a : 3, b : 29; s32 s : 5; bool ready : 1;
 *		      s16 nums[4]; void (*release)(struct file *);
 *		      struct opaque *priv; struct qstr names[2]; enum kind kind;
 *		      double load; u64 tail[]; };
 *	struct kuid { u32 val; };
 *	struct two { u32 a; u16 b; bool c : 1; u8 d[1]; };
 *	struct sockptr { void *p; bool is_kernel; };
 *	struct odd { u8 a; u32 b; } packed;	struct big { u64 a[3]; };
 *
 *	ssize_t vfs_read(struct file *file, char *buf, size_t count, loff_t *pos);
 *	struct file *vfs_write(s32 fd, bool sync, u8 small, s16 half, enum kind kind,
 *			       const char *name, char **argv, u64 seventh,
 *			       s32 eighth, u32 ninth);
 *	void by_value(struct kuid uid, struct sockptr opt, struct odd odd,
 *		      struct big big, s32 last, struct two two, double d, ...);
 *	void words(u64 a, u64 b, u64 c, u64 d, u64 e, struct sockptr opt, u64 f,
 *		   __int128 wide, u64 g);
 *	s32 twin(s32 a);	s32 twin(u64 b);	void none(void);
 *	s32 nameless(s32);	void __traceiter_ev(void *__data, struct file *file,
 *						    s32 nr);
 */
struct btf *btf_made(void);

#endif /* KTAP_TESTS_BTF_MADE_H */
