// Masks of signals and sets of processors are declared by the system's headers only on request.
#define _GNU_SOURCE
#include "CThreads.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>

int thread_start(void *_Nullable (*_Nonnull body)(void *_Nonnull), void *_Nonnull context) {
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

static atomic_int main_is_first;

#ifdef __linux__
static cpu_set_t shared_processors;
static int leaves_one;

static void choose_processors(void) {
  if (sched_getaffinity(0, sizeof shared_processors, &shared_processors) != 0 ||
      CPU_COUNT(&shared_processors) < 2)
    return;
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &shared_processors))
    last--;
  CPU_CLR(last, &shared_processors);
  leaves_one = 1;
}
#endif

void threads_put_main_first(void) {
#ifdef __linux__
  // Asked once: a thread that has given way already may call this again.
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, choose_processors);
#endif
  atomic_store(&main_is_first, 1);
}

void thread_give_way(void) {
#ifdef __linux__
  static _Thread_local int has_given_way;
  if (has_given_way || !atomic_load(&main_is_first))
    return;
  has_given_way = 1;
  setpriority(PRIO_PROCESS, 0, 10);
  if (leaves_one)
    sched_setaffinity(0, sizeof shared_processors, &shared_processors);
#endif
}
