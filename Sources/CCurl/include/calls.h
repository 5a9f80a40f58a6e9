// Pointers to the functions of libcurl that are used, set by ccurl_load.
//
// The program is not linked to libcurl, because libcurl loads thirty other libraries: that would
// take a third of the start's time and half of the memory of a program that does not use the
// network.

#ifndef CCURL_CALLS_H
#define CCURL_CALLS_H

// Makes the handles opaque structs instead of `void`, so that Swift imports them as the same type
// in every version of curl.
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

/// The functions; valid once ``ccurl_load`` has returned NULL.
extern struct ccurl_calls ccurl;

#endif
