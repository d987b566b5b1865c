// SPDX-License-Identifier: GPL-2.0
/*
 * In place of libmnl, which Debian 12 has as a shared library only: messages and their
 * attributes, as far as wire/ calls it, with the meaning that libmnl's documentation
 * gives to the functions.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <string.h>

/* ---- messages ---- */

struct nlmsghdr *mnl_nlmsg_put_header(void *buf)
{
	struct nlmsghdr *nlh = buf;

	memset(nlh, 0, MNL_NLMSG_HDRLEN);
	nlh->nlmsg_len = MNL_NLMSG_HDRLEN;
	return nlh;
}

void *mnl_nlmsg_put_extra_header(struct nlmsghdr *nlh, size_t size)
{
	char *extra = (char *)nlh + nlh->nlmsg_len;

	nlh->nlmsg_len += MNL_ALIGN(size);
	return memset(extra, 0, MNL_ALIGN(size));
}

bool mnl_nlmsg_ok(const struct nlmsghdr *nlh, int len)
{
	return len >= (int)sizeof(*nlh) && nlh->nlmsg_len >= sizeof(*nlh) &&
	       (int)nlh->nlmsg_len <= len;
}

struct nlmsghdr *mnl_nlmsg_next(const struct nlmsghdr *nlh, int *len)
{
	*len -= MNL_ALIGN(nlh->nlmsg_len);
	return (struct nlmsghdr *)((char *)nlh + MNL_ALIGN(nlh->nlmsg_len));
}

size_t mnl_nlmsg_get_payload_len(const struct nlmsghdr *nlh)
{
	return nlh->nlmsg_len - MNL_NLMSG_HDRLEN;
}

void *mnl_nlmsg_get_payload(const struct nlmsghdr *nlh)
{
	return (char *)nlh + MNL_NLMSG_HDRLEN;
}

void *mnl_nlmsg_get_payload_offset(const struct nlmsghdr *nlh, size_t offset)
{
	return (char *)nlh + MNL_NLMSG_HDRLEN + MNL_ALIGN(offset);
}

void *mnl_nlmsg_get_payload_tail(const struct nlmsghdr *nlh)
{
	return (char *)nlh + MNL_ALIGN(nlh->nlmsg_len);
}

/* ---- attributes ---- */

bool mnl_attr_put_check(struct nlmsghdr *nlh, size_t room, uint16_t type,
			size_t size, const void *data)
{
	struct nlattr *attr = mnl_nlmsg_get_payload_tail(nlh);
	size_t whole = MNL_ATTR_HDRLEN + MNL_ALIGN(size);

	if (nlh->nlmsg_len + whole > room)
		return false;
	memset(attr, 0, whole);
	attr->nla_type = type;
	attr->nla_len = MNL_ATTR_HDRLEN + size;
	if (size)
		memcpy(mnl_attr_get_payload(attr), data, size);
	nlh->nlmsg_len += whole;
	return true;
}

bool mnl_attr_ok(const struct nlattr *attr, int len)
{
	return len >= (int)sizeof(*attr) && attr->nla_len >= sizeof(*attr) &&
	       attr->nla_len <= len;
}

struct nlattr *mnl_attr_next(const struct nlattr *attr)
{
	return (struct nlattr *)((char *)attr + MNL_ALIGN(attr->nla_len));
}

uint16_t mnl_attr_get_type(const struct nlattr *attr)
{
	return attr->nla_type & NLA_TYPE_MASK;
}

uint16_t mnl_attr_get_len(const struct nlattr *attr)
{
	return attr->nla_len;
}

uint16_t mnl_attr_get_payload_len(const struct nlattr *attr)
{
	return attr->nla_len - MNL_ATTR_HDRLEN;
}

void *mnl_attr_get_payload(const struct nlattr *attr)
{
	return (char *)attr + MNL_ATTR_HDRLEN;
}

/* wire/ asks for one number of two bytes. */
int mnl_attr_validate(const struct nlattr *attr, enum mnl_attr_data_type type)
{
	if (type == MNL_TYPE_U16 &&
	    mnl_attr_get_payload_len(attr) == sizeof(uint16_t))
		return 0;
	errno = ERANGE;
	return -1;
}

uint8_t mnl_attr_get_u8(const struct nlattr *attr)
{
	return *(uint8_t *)mnl_attr_get_payload(attr);
}

uint16_t mnl_attr_get_u16(const struct nlattr *attr)
{
	return *(uint16_t *)mnl_attr_get_payload(attr);
}

uint32_t mnl_attr_get_u32(const struct nlattr *attr)
{
	return *(uint32_t *)mnl_attr_get_payload(attr);
}

/* Attributes begin at multiples of four. */
uint64_t mnl_attr_get_u64(const struct nlattr *attr)
{
	uint64_t value;

	memcpy(&value, mnl_attr_get_payload(attr), sizeof(value));
	return value;
}
