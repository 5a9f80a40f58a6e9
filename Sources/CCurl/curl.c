#include "CCurl.h"
#include <dlfcn.h>
#include <pthread.h>

#ifdef __APPLE__
#define LIBRARY "libcurl.4.dylib"
#else
#define LIBRARY "libcurl.so.4"
#endif

struct ccurl_calls ccurl;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[256];

static void load(void) {
  // Lazy: most functions of the libraries that libcurl loads are never called.
  void *library = dlopen(LIBRARY, RTLD_LAZY | RTLD_LOCAL);
#define CALL(name)                                                                                 \
  if (library && !failure[0] && !(ccurl.name = (__typeof__(ccurl.name))dlsym(library, "curl_" #name))) \
    strncpy(failure, "curl_" #name " is missing in " LIBRARY, sizeof failure - 1);
  CCURL_CALLS(CALL)
  if (library) return;
  const char *reason = dlerror();
  strncpy(failure, reason ? reason : LIBRARY, sizeof failure - 1);
}

const char *ccurl_load(void) {
  pthread_once(&once, load);
  return failure[0] ? failure : NULL;
}
