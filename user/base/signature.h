/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The end of a signed kernel module: a signature, this structure, and a line of text
 * (include/linux/module_signature.h of the kernel).
 */
#ifndef KTAP_BASE_SIGNATURE_H
#define KTAP_BASE_SIGNATURE_H

#include <stdint.h>

#define SIGNATURE_MARK	"~Module signature appended~\n"

/* The only kind that kernels take since 4.3: a message of PKCS #7. */
#define SIGNATURE_PKCS7	2

/**
 * struct signature - struct module_signature of the kernel
 * @algorithm: 0: the message has it
 * @hash: 0: the message has it
 * @kind: SIGNATURE_PKCS7
 * @signer_size: 0: the message has it
 * @key_id_size: 0: the message has it
 * @pad: 0
 * @size: bytes of the message, big-endian
 */
struct signature {
	uint8_t algorithm;
	uint8_t hash;
	uint8_t kind;
	uint8_t signer_size;
	uint8_t key_id_size;
	uint8_t pad[3];
	uint32_t size;
};

#endif /* KTAP_BASE_SIGNATURE_H */
