// SPDX-License-Identifier: GPL-2.0
/* Finds the number of a file, and gives it one. */
#include "hit/stacks.h"
#include "hit/user_files.h"

static u64 hash_of(const struct ktap_user_id *id)
{
	u64 h = ktap_stack_mix(id->inode, (u64)id->dev << 32 | id->generation);

	h = ktap_stack_mix(ktap_stack_mix(h, id->size), id->changed);
	return h ?: 1;
}
ENV_NOPROBE(hash_of);

static void tell(struct ktap_user_files *f, struct ktap_user_slot *slot,
		 const struct ktap_user_id *id, u32 tgid, u64 address)
{
	slot->tgid = tgid;
	slot->id = *id;
	slot->address = address;
	/* O: what the file is before the mark; pairs with put_file() */
	smp_store_release(&slot->is_told, 1);
	env_inc_shared(&f->nr);
}
ENV_NOPROBE(tell);

/**
 * ktap_user_files_find() - the number of a file
 * @f: index
 * @id: the file
 * @tgid: for a new one: process that has mapped it; 0: none
 * @address: for a new one: where
 *
 * Two files whose hash of 64 bits is the same would have one number.
 *
 * Context: any, NMI included.
 * Return: its number, which is below KTAP_USER_FILES_MAX; 0: there is no number for it.
 */
u32 ktap_user_files_find(struct ktap_user_files *f, const struct ktap_user_id *id,
			 u32 tgid, u64 address)
{
	u64 hash = hash_of(id), seen;
	u32 i, nr = hash >> 32;

	BUILD_BUG_ON(KTAP_USER_FILES_MAX & (KTAP_USER_FILES_MAX - 1));
	for (i = 0; i < KTAP_USER_FILES_TRIES; i++, nr++) {
		struct ktap_user_slot *slot;

		nr &= KTAP_USER_FILES_MAX - 1;
		if (!nr)
			continue; /* the number of what has no file */
		slot = &f->slots[nr];
		seen = READ_ONCE(slot->hash);
		if (!seen && env_try_cmpxchg_shared(&slot->hash, 0, hash)) {
			tell(f, slot, id, tgid, address);
			return nr;
		}
		if ((seen ?: READ_ONCE(slot->hash)) == hash)
			return nr;
	}
	return 0;
}
ENV_NOPROBE(ktap_user_files_find);
