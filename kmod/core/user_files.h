/* SPDX-License-Identifier: GPL-2.0 */
/* Files of user stacks, and their unwind information. */
#ifndef KTAP_CORE_USER_FILES_H
#define KTAP_CORE_USER_FILES_H

#include <linux/ktap.h>
#include <linux/list.h>

/**
 * struct ktap_user_share - a session's part in the files
 * @is_in: it keeps the index
 * @tables: tables that it gave or shares
 */
struct ktap_user_share {
	bool is_in;
	struct list_head tables;
};

void ktap_user_share_init(struct ktap_user_share *u);
int ktap_user_share_join(struct ktap_user_share *u);
void ktap_user_share_leave(struct ktap_user_share *u);
int ktap_user_table_add(struct ktap_user_share *u, struct ktap_session_table *arg);
int ktap_user_files_tell(struct ktap_user_share *u, struct ktap_session_files *arg);

#endif /* KTAP_CORE_USER_FILES_H */
