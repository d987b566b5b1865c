/* SPDX-License-Identifier: GPL-2.0 */
/* Probe modules: probes that are compiled into a module of their own. */
#ifndef KTAP_CORE_IMAGE_H
#define KTAP_CORE_IMAGE_H

#include <linux/kref.h>
#include <linux/ktap.h>
#include <linux/ktap_image.h>
#include <linux/miscdevice.h>
#include <linux/module.h>

struct ktap_probe;
struct ktap_session;

/**
 * struct ktap_image_slot - a parameter of the probes, which the probe module names
 * @value: what was given; after ktap_image_start() the value in force
 * @kind: enum ktap_image_param_kind; 0: before ktap_image_start(), or no parameter
 * @given: it was given
 * @negative: it was given with a minus sign
 */
struct ktap_image_slot {
	u64 value;
	u32 kind;
	bool given;
	bool negative;
};

/**
 * struct ktap_image_params - parameters of a probe module
 * @overwrite: overwrite mode
 * @tied: arm the probes at KTAP_IOC_TIE
 * @ring_kb: KiB of a ring; 0: default
 * @pid: record this process and its descendants only; 0: all
 * @rows: keys that each map has room for; 0: as in the image
 * @slots: parameters of the probes, in the order of the image
 */
struct ktap_image_params {
	bool overwrite;
	/* where older probe modules have padding, which is zero */
	bool tied;
	unsigned int ring_kb;
	int pid;
	/* padding in older ones, too */
	unsigned int rows;
	struct ktap_image_slot slots[KTAP_IMAGE_PARAMS_MAX];
};

/**
 * struct ktap_image_ending - counts of a probe that the probe itself does not keep
 * @missed: hits that the kernel skipped
 * @unfollowed: calls that were not followed to their return
 */
struct ktap_image_ending {
	u64 missed;
	u64 unfollowed;
};

/**
 * struct ktap_image - a probe module that is loaded, or whose reader is not done
 * @refs: held by the module, and by each open file
 * @name: of the device: "ktap-NAME"
 * @device: the device
 * @head: head of the image, while it is being read
 * @slots: values of its parameters, while it is being read
 * @slide: distance between the kernel's file and its memory
 * @id: build-id of the kernel
 * @id_size: bytes of @id; 0: no probe is in the kernel
 * @session: session of its probes
 * @is_tied: the file that is open was tied; under the session's lock
 * @stopped: the module's exit has begun; under the session's lock
 * @probes: probes, referenced; deleted when the module goes
 * @maps: for each probe: its map, or NULL; complete once the session has it
 * @endings: for each probe; set before @ended
 * @nr_probes: length of @probes
 * @ended: the module was removed: rings and counts are final
 * @reading: bit 0: a file of the device is open
 */
struct ktap_image {
	struct kref refs;
	char name[MODULE_NAME_LEN + 8];
	struct miscdevice device;
	const struct ktap_image_head *head;
	struct ktap_image_slot *slots;
	u64 slide;
	u8 id[KTAP_IMAGE_ID_MAX];
	u32 id_size;
	struct ktap_session *session;
	bool is_tied;
	bool stopped;
	struct ktap_probe **probes;
	struct ktap_session_map **maps;
	struct ktap_image_ending *endings;
	u32 nr_probes;
	bool ended;
	unsigned long reading;
};

/* For probe modules. */
struct ktap_image *ktap_image_start(struct module *owner, const void *bytes,
				    struct ktap_image_params *params);
void ktap_image_stop(struct ktap_image *image);

/* For the device. */
void ktap_image_put(struct ktap_image *image);
void ktap_image_own(struct ktap_image *image, pid_t tgid);
int ktap_image_tie(struct ktap_image *image, struct ktap_module_tie *arg);
void ktap_image_untie(struct ktap_image *image);
extern const struct file_operations ktap_image_fops;

/**
 * struct ktap_image_rows - how far the rows of all maps were read
 * @probe: number of the probe that is next
 * @cpu: likewise of the CPU
 * @slot: likewise of the slot
 */
struct ktap_image_rows {
	u32 probe;
	u32 cpu;
	u32 slot;
};

/* For image.c and the device: image_maps.c */
int ktap_image_make_maps(struct ktap_image *image, u32 rows);
const struct ktap_map *ktap_image_map(const struct ktap_image *image, u32 probe);
size_t ktap_image_row_max(const struct ktap_image *image);
size_t ktap_image_next_rows(const struct ktap_image *image, struct ktap_image_rows *at,
			    void *to, size_t room);

/* For image.c: image_load.c */
int ktap_image_load(struct ktap_image *image, const void *bytes,
		    struct ktap_image_slot *slots);

#endif /* KTAP_CORE_IMAGE_H */
