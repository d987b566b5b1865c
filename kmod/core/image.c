// SPDX-License-Identifier: GPL-2.0
/*
 * The life of a probe module. Its init creates and arms its probes in a session of their
 * own, and its exit disarms and deletes them. Rings and counts stay until the last reader
 * of its device has closed it: all of this is memory of ktap.ko, and nothing refers to the
 * probe module after its exit.
 */
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "core/budget.h"
#include "core/image.h"
#include "core/probe.h"
#include "core/session.h"
#include "core/state_table.h"
#include "hit/ringmem.h"

static void image_free(struct kref *refs)
{
	struct ktap_image *image = container_of(refs, struct ktap_image, refs);
	u32 i;

	if (image->session)
		ktap_session_destroy(image->session);
	for (i = 0; i < image->nr_probes; i++) {
		ktap_state_orphan(&image->probes[i]->prog->info);
		ktap_probe_put(image->probes[i]);
		kfree(image->maps[i]);
	}
	kvfree(image->probes);
	kvfree(image->maps);
	kvfree(image->endings);
	kfree(image);
}

/**
 * ktap_image_put() - drop a reference
 * @image: probe module
 *
 * Context: process, without ktap locks; may sleep.
 */
void ktap_image_put(struct ktap_image *image)
{
	kref_put(&image->refs, image_free);
}

/* ---- the end --------------------------------------------------------------------- */

/* As ktap-stat(1) does: a uretprobe without an instance lacks only entry values. */
static u64 unfollowed(const struct ktap_probe *p)
{
	struct ktap_returns r = {};

	if (p->backend->returns)
		p->backend->returns(p, &r);
	return r.too_deep + (p->type == KTAP_TYPE_URETPROBE ? 0 : r.no_instance);
}

static void delete_probes(struct ktap_image *image)
{
	u32 i;

	mutex_lock(&ktap_lock);
	for (i = 0; i < image->nr_probes; i++) {
		struct ktap_probe *p = image->probes[i];

		if (p->gone)
			continue;
		image->endings[i] = (struct ktap_image_ending){
			.missed = ktap_probe_missed(p),
			.unfollowed = unfollowed(p),
		};
		ktap_probe_delete(p);
	}
	mutex_unlock(&ktap_lock);
	for (i = 0; i < image->nr_probes; i++)
		ktap_idle_begin(image->probes[i]);
	for (i = 0; i < image->nr_probes; i++)
		ktap_idle_wait(image->probes[i]);
}

/* For "ktap status" and "ktap run". */
static void set_state(struct ktap_image *image, enum ktap_module_state state)
{
	struct ktap_session *s = image->session;

	lockdep_assert_held(&s->lock);
	mutex_lock(&ktap_lock);
	s->module_state = state;
	mutex_unlock(&ktap_lock);
}

static void disarm(struct ktap_image *image)
{
	struct ktap_session *s = image->session;

	if (s) {
		mutex_lock(&s->lock);
		image->stopped = true;
		set_state(image, KTAP_MODULE_REMOVED);
		ktap_session_detach_all(s);
		mutex_unlock(&s->lock);
	}
	delete_probes(image);
}

/**
 * ktap_image_stop() - end a probe module
 * @image: what ktap_image_start() returned
 *
 * Context: exit of the probe module; may sleep.
 */
void ktap_image_stop(struct ktap_image *image)
{
	misc_deregister(&image->device);
	disarm(image);
	/* J: rings, maps, counts and endings before ended; pairs with has_ended() */
	smp_store_release(&image->ended, true);
	wake_up_all(&image->session->waiter.queue);
	ktap_image_put(image);
}
EXPORT_SYMBOL_GPL(ktap_image_stop);

/* ---- the beginning --------------------------------------------------------------- */

/* How many probes from number @from on one call can attach: all have no map, or one has one. */
static u32 nr_alike(const struct ktap_image *image, u32 from)
{
	u32 to = from + 1;

	while (!image->maps[from] && to < image->nr_probes && !image->maps[to])
		to++;
	return to - from;
}

static int attach_all(struct ktap_image *image, const u32 *ids)
{
	u32 done = 0, n;
	int err = 0;

	/* a call attaches as many as one request may arm */
	for (; !err && done < image->nr_probes; done += n)
		err = ktap_session_attach(image->session, ids + done,
					  nr_alike(image, done),
					  ktap_image_map(image, done), &n);
	return err;
}

/* Rings that get only marks are as small as the rings of "ktap count". */
static u64 ring_size(const struct ktap_image *image,
		     const struct ktap_image_params *params)
{
	u32 i;

	for (i = 0; i < image->nr_probes && !params->ring_kb; i++)
		if (!image->maps[i] &&
		    !ktap_prog_is_silent(&image->probes[i]->prog->info))
			return 0;
	return params->ring_kb ? (u64)params->ring_kb << 10 : SZ_64K;
}

static int setup(struct ktap_image *image, const struct ktap_image_params *params)
{
	struct ktap_session *s = image->session;
	struct ktap_session_setup arg = {
		.flags = KTAP_SESSION_F_SELF |
			 (params->overwrite ? KTAP_SESSION_F_OVERWRITE : 0),
		.ring_size = ring_size(image, params),
		.watermark = U32_MAX, /* half of the ring */
	};
	int err = ktap_session_setup(s, &arg);

	if (err == -EINVAL)
		pr_err("ktap: %s: ring_kb=%u: a ring has a power of two of at least %lu KiB and at most 1 GiB\n",
		       image->name, params->ring_kb, 4 * PAGE_SIZE >> 10);
	if (err || !params->pid)
		return err;
	err = ktap_session_limit(s, params->pid, true);
	if (err)
		pr_err("ktap: %s: pid=%d: no such process (error %d)\n", image->name,
		       params->pid, err);
	return err;
}

static int arm_probes(struct ktap_image *image)
{
	u32 i, *ids;
	int err;

	ids = kvmalloc_array(image->nr_probes, sizeof(*ids), GFP_KERNEL);
	if (!ids)
		return -ENOMEM;
	for (i = 0; i < image->nr_probes; i++)
		ids[i] = image->probes[i]->id;
	err = attach_all(image, ids);
	if (err)
		pr_err("ktap: %s: the kernel refuses to arm the probes (error %d)\n",
		       image->name, err);
	kvfree(ids);
	return err;
}

static int start_locked(struct ktap_image *image,
			const struct ktap_image_params *params)
{
	int err = setup(image, params);

	if (!err)
		err = ktap_image_make_maps(image, params->rows);
	if (!err && !params->tied)
		err = arm_probes(image);
	if (!err)
		set_state(image, params->tied ? KTAP_MODULE_WAITS :
						KTAP_MODULE_ARMED);
	return err;
}

static int start(struct ktap_image *image, const void *bytes,
		 struct ktap_image_params *params)
{
	struct ktap_session *s;
	int err;

	err = ktap_image_load(image, bytes, params->slots);
	if (err)
		return err;
	s = ktap_session_create();
	if (!s)
		return -ENOMEM;
	image->session = s;
	/* the holder of ktap.ko, for "ktap status" */
	mutex_lock(&ktap_lock);
	s->module = image->name + strlen("ktap-");
	s->module_state = KTAP_MODULE_WAITS;
	strscpy(s->owner_comm, s->module, sizeof(s->owner_comm));
	mutex_unlock(&ktap_lock);
	mutex_lock(&s->lock);
	err = start_locked(image, params);
	mutex_unlock(&s->lock);
	return err ?: misc_register(&image->device);
}

/**
 * ktap_image_start() - create and arm the probes of a probe module
 * @owner: the probe module
 * @bytes: its image, whose head has its size
 * @params: its parameters; the probes' parameters get the values that are in force
 *
 * Context: init of the probe module; may sleep.
 * Return: for ktap_image_stop(); or ERR_PTR, which the kernel's log explains.
 */
struct ktap_image *ktap_image_start(struct module *owner, const void *bytes,
				    struct ktap_image_params *params)
{
	struct ktap_image *image = kzalloc(sizeof(*image), KTAP_GFP);
	int err;

	if (!image)
		return ERR_PTR(-ENOMEM);
	kref_init(&image->refs);
	snprintf(image->name, sizeof(image->name), "ktap-%s", module_name(owner));
	image->device = (struct miscdevice){
		.minor = MISC_DYNAMIC_MINOR,
		.name = image->name,
		.fops = &ktap_image_fops,
		.mode = 0440,
	};
	err = start(image, bytes, params);
	if (!err)
		return image;
	disarm(image);
	ktap_image_put(image);
	return ERR_PTR(err);
}
EXPORT_SYMBOL_GPL(ktap_image_start);

/* ---- the device ------------------------------------------------------------------ */

/**
 * ktap_image_own() - record which process has the device open
 * @image: probe module
 * @tgid: its thread group; 0: none
 *
 * A module that waits to be tied belongs to the process that loaded it. Others open the
 * device to look whether it is left over, and must not make it look so.
 *
 * Context: process, without ktap locks.
 */
void ktap_image_own(struct ktap_image *image, pid_t tgid)
{
	struct ktap_session *s = image->session;

	mutex_lock(&ktap_lock);
	if (s->module_state != KTAP_MODULE_WAITS)
		s->owner_pid = tgid;
	mutex_unlock(&ktap_lock);
}

/* Probes that were attached cannot be attached again, so after a failure it is over. */
static int arm_tied(struct ktap_image *image)
{
	int err = arm_probes(image);

	if (!err)
		return 0;
	ktap_session_detach_all(image->session);
	set_state(image, KTAP_MODULE_IDLE);
	return err;
}

static int tie_locked(struct ktap_image *image)
{
	const struct ktap_session *s = image->session;
	int err = 0;

	if (image->stopped)
		return -ENODEV;
	if (image->is_tied)
		return -EBUSY;
	if (s->module_state == KTAP_MODULE_IDLE)
		return -ESHUTDOWN;
	if (s->module_state == KTAP_MODULE_WAITS)
		err = arm_tied(image);
	if (err)
		return err;
	WRITE_ONCE(image->is_tied, true);
	set_state(image, KTAP_MODULE_TIED);
	return 0;
}

/**
 * ktap_image_tie() - KTAP_IOC_TIE
 * @image: probe module whose device is open; of its files only one is
 * @arg: request; the reply is filled in
 *
 * Context: process, without ktap locks; may sleep.
 * Return: 0, -EINVAL for flags, -ENODEV after the module's exit has begun, -EBUSY if it is
 * tied, -ESHUTDOWN if it is idle, or the error from arming, which leaves it idle.
 */
int ktap_image_tie(struct ktap_image *image, struct ktap_module_tie *arg)
{
	struct ktap_session *s = image->session;
	int err;

	if (arg->flags)
		return -EINVAL;
	mutex_lock(&s->lock);
	err = tie_locked(image);
	arg->nr_probes = READ_ONCE(s->nr_attached);
	arg->session = s->number;
	mutex_unlock(&s->lock);
	if (!err)
		ktap_image_own(image, current->tgid);
	return err;
}

/**
 * ktap_image_untie() - the file is closed: if it was tied, disarm once and for all
 * @image: probe module, which may have been removed
 *
 * Context: process, without ktap locks; sleeps as ktap_attach_stop() does.
 */
void ktap_image_untie(struct ktap_image *image)
{
	struct ktap_session *s = image->session;

	mutex_lock(&s->lock);
	if (image->is_tied) {
		WRITE_ONCE(image->is_tied, false);
		ktap_session_detach_all(s);
		if (!image->stopped)
			set_state(image, KTAP_MODULE_IDLE);
	}
	mutex_unlock(&s->lock);
}
