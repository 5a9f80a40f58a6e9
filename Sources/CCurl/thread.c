// Signals and their masks are declared by the system's headers only on request.
#define _GNU_SOURCE
#include "CCurl.h"
#include <pthread.h>
#include <signal.h>

int ccurl_start_thread(void *_Nullable (*_Nonnull body)(void *_Nonnull), void *_Nonnull context) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS};
  sigset_t masked, before;
  sigfillset(&masked);
  for (unsigned i = 0; i < sizeof faults / sizeof *faults; i++)
    sigdelset(&masked, faults[i]);

  pthread_sigmask(SIG_SETMASK, &masked, &before);
  pthread_t thread;
  int failure = pthread_create(&thread, NULL, body, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failure == 0)
    pthread_detach(thread);
  return failure;
}
