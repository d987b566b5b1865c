/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Signatures of kernel modules, as scripts/sign-file of the kernel makes them. The work is
 * done by libcrypto of OpenSSL, which is loaded when there is something to sign: to have it
 * loaded with each command would make every start of ktap slower.
 */
#ifndef KTAP_MODULE_SIGN_H
#define KTAP_MODULE_SIGN_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/diag.h"

/* The hash algorithm for a kernel that is not known to want a different one. */
#define SIGN_HASH_DEFAULT	"sha256"

struct signer;

/**
 * signer_open() - read a key and its certificate
 * @key: path of the private key, in PEM format and without a passphrase
 * @cert: path of the certificate, in PEM or DER format
 * @d: on failure
 * @ret: on success; release with signer_free()
 *
 * Both files may be pipes.
 *
 * Return: 0; -EINVAL for files that are not what they should be, or that do not belong
 *	together; -ENOMEM; -ENOENT: there is no libcrypto; or why a file cannot be read.
 */
int signer_open(const char *key, const char *cert, struct diag *d,
		struct signer **ret);

/**
 * signer_free() - release a signer
 * @s: signer or NULL
 */
void signer_free(struct signer *s);
DEFINE_CLEANUP(struct signer, signer_free)

/**
 * signer_has_hash() - whether a hash algorithm can be used
 * @s: signer
 * @hash: name, as the kernel's configuration has it: "sha512"
 *
 * Return: true if it can.
 */
bool signer_has_hash(const struct signer *s, const char *hash);

/**
 * signer_append() - sign a module
 * @s: signer
 * @hash: name of the hash algorithm, which signer_has_hash() knows
 * @module: bytes of the module; the signature is appended
 * @d: on failure
 *
 * Return: 0, -EINVAL, -ENOMEM.
 */
int signer_append(const struct signer *s, const char *hash, struct buf *module,
		  struct diag *d);

#endif /* KTAP_MODULE_SIGN_H */
