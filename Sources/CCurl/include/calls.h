// The calls of libcurl that are made, found when the first one is.
//
// libcurl brings thirty libraries with it, whose loading is a third of the time and half of the
// pages that a program takes that has just been started and asks the network nothing.

#ifndef CCURL_CALLS_H
#define CCURL_CALLS_H

// An opaque struct in place of `void`: handles come to Swift as one type in every version of curl.
#define CURL_STRICTER
#include <curl/curl.h>

#define CCURL_CALLS(CALL)                                                                          \
  CALL(global_init)                                                                                \
  CALL(free)                                                                                       \
  CALL(easy_init)                                                                                  \
  CALL(easy_setopt)                                                                                \
  CALL(easy_getinfo)                                                                               \
  CALL(easy_pause)                                                                                 \
  CALL(easy_strerror)                                                                              \
  CALL(easy_cleanup)                                                                               \
  CALL(multi_init)                                                                                 \
  CALL(multi_setopt)                                                                               \
  CALL(multi_add_handle)                                                                           \
  CALL(multi_remove_handle)                                                                        \
  CALL(multi_perform)                                                                              \
  CALL(multi_info_read)                                                                            \
  CALL(multi_poll)                                                                                 \
  CALL(multi_wakeup)                                                                               \
  CALL(multi_cleanup)                                                                              \
  CALL(slist_append)                                                                               \
  CALL(slist_free_all)                                                                             \
  CALL(url)                                                                                        \
  CALL(url_set)                                                                                    \
  CALL(url_get)                                                                                    \
  CALL(url_cleanup)

struct ccurl_calls {
#define CALL(name) __typeof__(&(curl_##name)) name;
  CCURL_CALLS(CALL)
#undef CALL
};

/// The calls, once ``ccurl_load`` has found them.
extern struct ccurl_calls ccurl;

#endif
