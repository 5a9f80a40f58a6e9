// libcurl, loaded when the first address is parsed. The functions below wrap its calls, because
// Swift cannot call variadic functions or function pointers in a C variable as they are.
//
// Functions that call libcurl may be called only after ccurl_load has returned NULL.

#ifndef CCURL_H
#define CCURL_H

#include "calls.h"
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#pragma clang assume_nonnull begin

/// Loads libcurl on the first call. Returns NULL, or the reason why it cannot be loaded. Safe on
/// every thread.
const char *_Nullable ccurl_load(void);

/// Makes the C library return blocks of at least `size` bytes to the system as soon as they are
/// freed.
static inline void ccurl_return_memory_from(int size) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, size);
#endif
}

/// Returns unused pages to the system, whichever thread has used them.
static inline void ccurl_return_free_pages(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

static inline CURLcode ccurl_global_init(long flags) { return ccurl.global_init(flags); }
static inline void ccurl_free(void *_Nullable memory) { ccurl.free(memory); }

static inline CURL *_Nullable ccurl_easy_init(void) { return ccurl.easy_init(); }
static inline CURLcode ccurl_easy_pause(CURL *easy, int bits) { return ccurl.easy_pause(easy, bits); }
static inline const char *ccurl_easy_strerror(CURLcode code) { return ccurl.easy_strerror(code); }
static inline void ccurl_easy_cleanup(CURL *easy) { ccurl.easy_cleanup(easy); }

static inline CURLM *_Nullable ccurl_multi_init(void) { return ccurl.multi_init(); }
static inline CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy) {
  return ccurl.multi_add_handle(multi, easy);
}
static inline CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy) {
  return ccurl.multi_remove_handle(multi, easy);
}
static inline CURLMcode ccurl_multi_perform(CURLM *multi, int *running) {
  return ccurl.multi_perform(multi, running);
}
static inline CURLMsg *_Nullable ccurl_multi_info_read(CURLM *multi, int *left) {
  return ccurl.multi_info_read(multi, left);
}
static inline CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds) {
  return ccurl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}
static inline CURLMcode ccurl_multi_wakeup(CURLM *multi) { return ccurl.multi_wakeup(multi); }
static inline void ccurl_multi_cleanup(CURLM *multi) { ccurl.multi_cleanup(multi); }

static inline struct curl_slist *_Nullable ccurl_slist_append(
    struct curl_slist *_Nullable list, const char *text) {
  return ccurl.slist_append(list, text);
}
static inline void ccurl_slist_free_all(struct curl_slist *_Nullable list) {
  ccurl.slist_free_all(list);
}

static inline CURLU *_Nullable ccurl_url(void) { return ccurl.url(); }
static inline CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned flags) {
  return ccurl.url_set(url, part, text, flags);
}
static inline CURLUcode ccurl_url_get(
    CURLU *url, CURLUPart part, char *_Nullable *_Nonnull text, unsigned flags) {
  return ccurl.url_get(url, part, text, flags);
}
static inline void ccurl_url_cleanup(CURLU *url) { ccurl.url_cleanup(url); }

// curl_easy_setopt, with one function for each type of argument.

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return ccurl.easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return ccurl.easy_setopt(easy, option, value);
}

// Sets the body of a POST, which curl copies. The size is set first, because the body may contain
// zero bytes.
static inline CURLcode ccurl_set_body(CURL *easy, const void *bytes, curl_off_t size) {
  CURLcode code = ccurl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, size);
  return code != CURLE_OK ? code : ccurl.easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *_Nullable headers) {
  return ccurl.easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

// Sets the callback that opens sockets. curl does not connect to an address for which it returns
// CURL_SOCKET_BAD.
static inline void ccurl_on_socket(
    CURL *easy, curl_opensocket_callback callback, void *context) {
  ccurl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
  ccurl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

// Returns the flag with which curl returns a host name in ASCII, as it is looked up; 0 if this curl
// has no such flag.
static inline unsigned ccurl_ascii_host_flag(void) {
#ifdef CURLU_PUNYCODE
  return CURLU_PUNYCODE;
#else
  return 0;
#endif
}

// Sets addresses that replace those of the resolver, each as "host:port:address".
static inline CURLcode ccurl_set_addresses(
    CURL *easy, struct curl_slist *_Nullable addresses) {
  return ccurl.easy_setopt(easy, CURLOPT_RESOLVE, addresses);
}

// Makes the transfer read the file of certificates again. From 7.87 on, curl reads it only once a
// day: without this, a user who adds a missing certificate and tries again would get the same
// error.
static inline CURLcode ccurl_read_certificates_anew(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return ccurl.easy_setopt(easy, CURLOPT_CA_CACHE_TIMEOUT, 0L);
#else
  (void)easy;
  return CURLE_OK;
#endif
}

static inline CURLcode ccurl_set_error_buffer(CURL *easy, char *buffer) {
  return ccurl.easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

static inline void ccurl_on_header(CURL *easy, curl_write_callback callback, void *context) {
  ccurl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, callback);
  ccurl.easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

static inline void ccurl_on_body(CURL *easy, curl_write_callback callback, void *context) {
  ccurl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
  ccurl.easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline void ccurl_on_progress(CURL *easy, curl_xferinfo_callback callback, void *context) {
  ccurl.easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callback);
  ccurl.easy_setopt(easy, CURLOPT_XFERINFODATA, context);
  ccurl.easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}

// Sets the callback that curl calls when it is connected and about to send the request.
static inline void ccurl_on_request(CURL *easy, curl_prereq_callback callback, void *context) {
  ccurl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
  ccurl.easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

// Allows http and https only. If this fails, the request must not be sent: an address that two
// parsers read differently could name a file.
static inline CURLcode ccurl_allow_web_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return ccurl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return ccurl.easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// Makes curl abandon a running name lookup when its transfer ends. Otherwise it would wait for the
// system's resolver, and all other transfers with it.
static inline void ccurl_abandon_lookups(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  ccurl.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}

static inline long ccurl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  ccurl.easy_getinfo(easy, info, &value);
  return value;
}

static inline const char *ccurl_system_message(int number) {
  return strerror(number);
}

static inline CURLMcode ccurl_set_multi_long(CURLM *multi, CURLMoption option, long value) {
  return ccurl.multi_setopt(multi, option, value);
}

// Parses a numeric address into the 16 bytes of an IPv6 address, IPv4 as ::ffff:a.b.c.d, in every
// notation that a resolver accepts (127.1, 0x7f000001, 017700000001). Returns 1, or 0 for a name.
int ccurl_parse_address(const char *text, unsigned char *bytes);

// Writes the 16 bytes of an address to which curl is about to connect. Returns 1, or 0 if the
// address is neither IPv4 nor IPv6.
int ccurl_socket_address(const struct curl_sockaddr *address, unsigned char *bytes);

// Calls `found` with the 16 bytes of each address of this machine's network interfaces, and with a
// mask of the bits that all addresses of its network share. For IPv4 these are all bits.
void ccurl_own_addresses(
    void (*found)(
        const unsigned char *bytes, const unsigned char *mask, void *_Nullable context),
    void *_Nullable context);

// Opens a socket as curl would do itself, except that started programs do not inherit it.
curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address);

// Returns an environment variable, or NULL.
const char *_Nullable ccurl_environment(const char *name);

#pragma clang assume_nonnull end

#endif
