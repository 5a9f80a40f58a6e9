// libcurl, found when the first address is asked for, with typed doors in place of what Swift cannot
// call: variadic functions, and variables of C.
//
// Every door but the first stands open only after that one has said so.

#ifndef CCURL_H
#define CCURL_H

#include "calls.h"
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#pragma clang assume_nonnull begin

/// Loads libcurl, the first time; from any thread. NULL, or why it cannot be.
const char *_Nullable ccurl_load(void);

/// Has the system get back blocks of at least `size` bytes as soon as they are freed.
static inline void ccurl_return_memory_from(int size) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, size);
#endif
}

/// Has the system get back the pages on which nothing is left, whichever thread has used them.
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

// One door for each kind of argument.

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return ccurl.easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return ccurl.easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return ccurl.easy_setopt(easy, option, value);
}

// A POST of bytes that curl keeps for itself; the size comes first, since they may have zeros.
static inline CURLcode ccurl_set_body(CURL *easy, const void *bytes, curl_off_t size) {
  CURLcode code = ccurl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, size);
  return code != CURLE_OK ? code : ccurl.easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *_Nullable headers) {
  return ccurl.easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

// Called in place of socket(): what it refuses, with CURL_SOCKET_BAD, is not connected to.
static inline void ccurl_on_socket(
    CURL *easy, curl_opensocket_callback callback, void *context) {
  ccurl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
  ccurl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
}

// Has curl give a host's name as the resolver is asked for it, in ASCII; 0 where it cannot.
static inline unsigned ccurl_ascii_host_flag(void) {
#ifdef CURLU_PUNYCODE
  return CURLU_PUNYCODE;
#else
  return 0;
#endif
}

// What has an address of its own in place of the resolver's: "host:port:address".
static inline CURLcode ccurl_set_addresses(
    CURL *easy, struct curl_slist *_Nullable addresses) {
  return ccurl.easy_setopt(easy, CURLOPT_RESOLVE, addresses);
}

// From 7.87 on curl reads a file of certificates once a day: somebody who has just added the missing
// one, and tries again, would be told of yesterday's.
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

// Called when the connection stands and the request is about to be written.
static inline void ccurl_on_request(CURL *easy, curl_prereq_callback callback, void *context) {
  ccurl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
  ccurl.easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

// http and https. A failure has to stop the request: without this an address that two parsers read
// differently could name a file.
static inline CURLcode ccurl_allow_web_only(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return ccurl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return ccurl.easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// Without it, ending a transfer whose name is still being looked up waits for the system's
// resolver, and every other transfer with it.
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

// Lives until the handle's next use.
static inline const char *_Nullable ccurl_get_string(CURL *easy, CURLINFO info) {
  char *value = NULL;
  ccurl.easy_getinfo(easy, info, &value);
  return value;
}

static inline const char *ccurl_system_message(int number) {
  return strerror(number);
}

static inline CURLMcode ccurl_set_multi_long(CURLM *multi, CURLMoption option, long value) {
  return ccurl.multi_setopt(multi, option, value);
}

// The 16 bytes of a numeric address in IPv6's form: IPv4 as ::ffff:a.b.c.d, in every spelling that a
// resolver takes (127.1, 0x7f000001, 017700000001). Returns 0 for a name.
int ccurl_parse_address(const char *text, unsigned char *bytes);

// The same of an address that is about to be connected to; 0 where it is of another family.
int ccurl_socket_address(const struct curl_sockaddr *address, unsigned char *bytes);

// The socket that curl would open itself.
curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address);

// A variable of the environment.
const char *_Nullable ccurl_environment(const char *name);

#pragma clang assume_nonnull end

#endif
