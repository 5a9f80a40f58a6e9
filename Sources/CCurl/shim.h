// An opaque struct in place of `void`: handles come to Swift as one type in every version of curl.
#define CURL_STRICTER
#include <curl/curl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

// Swift cannot call variadic functions: one typed door for each kind of argument.

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_size(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_headers(CURL *easy, struct curl_slist *headers) {
  return curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
}

static inline CURLcode ccurl_set_error_buffer(CURL *easy, char *buffer) {
  return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

static inline void ccurl_on_header(CURL *easy, curl_write_callback callback, void *context) {
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
}

static inline void ccurl_on_body(CURL *easy, curl_write_callback callback, void *context) {
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline void ccurl_on_progress(CURL *easy, curl_xferinfo_callback callback, void *context) {
  curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_XFERINFODATA, context);
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
}

// Called when the connection stands and the request is about to be written.
static inline void ccurl_on_request(CURL *easy, curl_prereq_callback callback, void *context) {
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
}

// http and https, for the first address and for every redirect. A failure has to stop the request:
// without this a redirect could read a file.
static inline CURLcode ccurl_allow_web_only(CURL *easy) {
  CURLcode code;
#if LIBCURL_VERSION_NUM >= 0x075500
  code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  if(code == CURLE_OK)
    code = curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
  code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  if(code == CURLE_OK)
    code = curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
  return code;
}

// Without it, ending a transfer whose name is still being looked up waits for the system's
// resolver, and every other transfer with it.
static inline void ccurl_abandon_lookups(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)easy;
#endif
}

static inline long ccurl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

// Lives until the handle's next use.
static inline const char *ccurl_get_string(CURL *easy, CURLINFO info) {
  char *value = NULL;
  curl_easy_getinfo(easy, info, &value);
  return value;
}

static inline const char *_Nonnull ccurl_system_message(int number) {
  return strerror(number);
}

static inline CURLMcode ccurl_set_multi_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// A detached thread that takes no signal meant for the process: those belong to the program's own
// handlers, and a SIGPIPE of a closed connection must end nothing. Faults stay open, so that the
// handlers which restore the terminal see a crash on this thread too.
static inline int ccurl_start_thread(
    void *_Nullable (*_Nonnull body)(void *_Nonnull), void *_Nonnull context) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
  sigset_t masked, before;
  sigfillset(&masked);
  for(unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
    sigdelset(&masked, faults[i]);

  pthread_sigmask(SIG_SETMASK, &masked, &before);
  pthread_t thread;
  int failure = pthread_create(&thread, NULL, body, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if(failure == 0)
    pthread_detach(thread);
  return failure;
}
