// SPDX-License-Identifier: GPL-2.0
/*
 * The signature is a CMS message, which is PKCS #7: detached, so that it has the hash of the
 * module and not the module; without certificates, because the kernel has them; without
 * signed attributes, so that the time is not in it, and an RSA key gives the same bytes for
 * the same module. The signer is named by the issuer and the serial number of the certificate.
 */
#include "module/sign.h"

#include <dlfcn.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/signature.h"
#include "base/whole.h"

#define TEXT_OF(x)	TEXT_OF_(x)
#define TEXT_OF_(x)	#x
#define LIBRARY		"libcrypto.so." TEXT_OF(OPENSSL_SHLIB_VERSION)

/* Of what is read of a key or a certificate; they have a few thousand bytes. */
#define FILE_MAX	(1UL << 20)

/* ---- the library ------------------------------------------------------------------ */

/* struct library - functions of libcrypto by their names */
struct library {
#define FUNCTION(name) __typeof__(name) *(name)
#include "module/libcrypto.def"
#undef FUNCTION
};

/**
 * struct signer - a key with its certificate
 * @lib: functions
 * @key: private key
 * @cert: certificate
 */
struct signer {
	struct library lib;
	EVP_PKEY *key;
	X509 *cert;
};

/* @to: a pointer to a function, of whatever type */
static bool look_up(void *library, const char *name, void *to)
{
	void *at = dlsym(library, name);

	memcpy(to, &at, sizeof(at));
	return at;
}

static int load(struct signer *s, struct diag *d)
{
	void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	bool all = library;

#define FUNCTION(name) all = all && look_up(library, #name, &s->lib.name)
#include "module/libcrypto.def"
#undef FUNCTION
	if (all)
		return 0;
	diag_set(d, -ENOENT, DIAG_SIGN_LIBRARY, dlerror());
	diag_hint(d, "install OpenSSL: apt install openssl");
	return -ENOENT;
}

/* ---- files ------------------------------------------------------------------------ */

/* struct secret - bytes that are overwritten after use */
struct secret {
	char *bytes;
	size_t size;
};

static void secret_deinit(struct secret *s)
{
	if (s->bytes)
		explicit_bzero(s->bytes, s->size);
	free(s->bytes);
}

/* @file: gets the bytes, which @ret refers to */
static int open_file(const struct signer *s, const char *path, struct diag *d,
		     struct secret *file, BIO **ret)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	int err = fd < 0 ? -errno : read_whole(fd, FILE_MAX, &file->bytes, &file->size);

	if (err)
		return diag_set(d, err, DIAG_SIGN_READ, path, strerror(-err));
	*ret = s->lib.BIO_new_mem_buf(file->bytes, file->size);
	return *ret ? 0 : diag_no_memory(d);
}

/* A prompt would block a script. @ctx: gets whether the key has a passphrase */
static int refuse_passphrase(char *to, int size, int writing, void *ctx)
{
	*(bool *)ctx = true;
	return -1;
}

static int read_key(struct signer *s, const char *path, struct diag *d)
{
	_cleanup_(secret_deinit) struct secret text = { 0 };
	bool locked = false;
	BIO *from;
	int err;

	err = open_file(s, path, d, &text, &from);
	if (err)
		return err;
	s->key = s->lib.PEM_read_bio_PrivateKey(from, NULL, refuse_passphrase, &locked);
	s->lib.BIO_free(from);
	if (s->key)
		return 0;
	if (!locked)
		return diag_set(d, -EINVAL, DIAG_SIGN_KEY, path);
	diag_set(d, -EINVAL, DIAG_SIGN_KEY_LOCKED, path);
	diag_hint(d, "use a copy without one: openssl pkey -in %s -out COPY; or --sign-key <(openssl pkey -in %s)",
		  path, path);
	return -EINVAL;
}

/* A SEQUENCE of ASN.1, whose length has at least two bytes; text does not begin so. */
static bool is_der(const struct secret *file)
{
	return file->size > 2 && file->bytes[0] == 0x30 && file->bytes[1] & 0x80;
}

static int read_cert(struct signer *s, const char *path, struct diag *d)
{
	_cleanup_(secret_deinit) struct secret file = { 0 };
	BIO *from;
	int err;

	err = open_file(s, path, d, &file, &from);
	if (err)
		return err;
	s->cert = is_der(&file) ? s->lib.d2i_X509_bio(from, NULL) :
				  s->lib.PEM_read_bio_X509(from, NULL, NULL, NULL);
	s->lib.BIO_free(from);
	return s->cert ? 0 : diag_set(d, -EINVAL, DIAG_SIGN_CERT, path);
}

/* ---- signing ---------------------------------------------------------------------- */

static int failed(const struct signer *s, struct diag *d)
{
	const char *why = s->lib.ERR_reason_error_string(s->lib.ERR_peek_error());

	return diag_set(d, -EINVAL, DIAG_SIGN_FAILED, why ? why : "unknown error");
}

static CMS_ContentInfo *make_message(const struct signer *s, const EVP_MD *hash, BIO *from)
{
	const unsigned int flags = CMS_BINARY | CMS_DETACHED | CMS_NOCERTS;
	CMS_ContentInfo *cms = s->lib.CMS_sign(NULL, NULL, NULL, NULL, flags | CMS_PARTIAL);

	if (cms && s->lib.CMS_add1_signer(cms, s->cert, s->key, hash, flags | CMS_NOATTR) &&
	    s->lib.CMS_final(cms, from, NULL, flags))
		return cms;
	s->lib.CMS_ContentInfo_free(cms);
	return NULL;
}

static void put_signature(struct buf *to, const void *message, size_t size)
{
	const struct signature s = {
		.kind = SIGNATURE_PKCS7,
		.size = htobe32(size),
	};

	buf_put(to, message, size);
	buf_put(to, &s, sizeof(s));
	buf_puts(to, SIGNATURE_MARK);
}

bool signer_has_hash(const struct signer *s, const char *hash)
{
	return s->lib.EVP_get_digestbyname(hash);
}

int signer_append(const struct signer *s, const char *hash, struct buf *module,
		  struct diag *d)
{
	BIO *from = s->lib.BIO_new_mem_buf(buf_str(module), module->size);
	CMS_ContentInfo *cms = NULL;
	unsigned char *message = NULL;
	int size = -1;

	if (!from)
		return diag_no_memory(d);
	s->lib.ERR_clear_error();
	cms = make_message(s, s->lib.EVP_get_digestbyname(hash), from);
	if (cms)
		size = s->lib.i2d_CMS_ContentInfo(cms, &message);
	s->lib.BIO_free(from);
	s->lib.CMS_ContentInfo_free(cms);
	if (size < 0)
		return failed(s, d);
	put_signature(module, message, size);
	s->lib.CRYPTO_free(message, __FILE__, __LINE__);
	return module->failed ? diag_no_memory(d) : 0;
}

/* ---- the signer ------------------------------------------------------------------- */

int signer_open(const char *key, const char *cert, struct diag *d,
		struct signer **ret)
{
	_cleanup_(signer_freep) struct signer *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return diag_no_memory(d);
	err = load(s, d);
	if (!err)
		err = read_key(s, key, d);
	if (!err)
		err = read_cert(s, cert, d);
	if (!err && !s->lib.X509_check_private_key(s->cert, s->key))
		err = diag_set(d, -EINVAL, DIAG_SIGN_PAIR, cert, key);
	if (!err)
		*ret = take_ptr(s);
	return err;
}

/* The library stays: it has functions that exit() calls. */
void signer_free(struct signer *s)
{
	if (!s)
		return;
	if (s->key)
		s->lib.EVP_PKEY_free(s->key);
	if (s->cert)
		s->lib.X509_free(s->cert);
	free(s);
}
