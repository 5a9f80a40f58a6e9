#define _GNU_SOURCE
#include "CMainLoop.h"

#if defined(__linux__) && !defined(PLAIN_MAIN_LOOP)

#include <poll.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

// Private symbols of libdispatch and the Swift runtime. They are weak: if one is missing, its
// address is NULL, and the program runs without this loop.
__attribute__((weak)) extern int _dispatch_get_main_queue_handle_4CF(void);
__attribute__((weak)) extern void _dispatch_main_queue_callback_4CF(void *message);
typedef __attribute__((swiftcall)) void (*main_drain)(void *original, void *replacement);
__attribute__((weak)) extern main_drain swift_task_asyncMainDrainQueue_hook;
typedef __attribute__((swiftcall)) void (*global_enqueue)(void *job, void *original);
__attribute__((weak)) extern global_enqueue swift_task_enqueueGlobal_hook;

static void (*main_loop)(void);
static void (*enqueue_job)(void *job);

static __attribute__((swiftcall)) void drain(void *original, void *replacement) {
  (void)original;
  (void)replacement;
  main_loop();
}

int main_loop_install(void (*loop)(void)) {
  if (!_dispatch_get_main_queue_handle_4CF || !_dispatch_main_queue_callback_4CF) return 0;
  if (!&swift_task_asyncMainDrainQueue_hook) return 0;
  // On any other thread it is too late, because the runtime has already given up the main thread.
  if (gettid() != getpid()) return 0;
  main_loop = loop;
  swift_task_asyncMainDrainQueue_hook = drain;
  return 1;
}

static __attribute__((swiftcall)) void enqueue_elsewhere(void *job, void *original) {
  (void)original;
  enqueue_job(job);
}

int global_jobs_redirect(void (*enqueue)(void *job)) {
  if (!&swift_task_enqueueGlobal_hook) return 0;
  enqueue_job = enqueue;
  swift_task_enqueueGlobal_hook = enqueue_elsewhere;
  return 1;
}

int main_queue_descriptor(void) { return _dispatch_get_main_queue_handle_4CF(); }

void main_queue_run(int descriptor) {
  unsigned long long count;
  // Cleared before the work runs: a notification of work that arrives meanwhile would be lost
  // otherwise.
  if (read(descriptor, &count, sizeof count) < 0) count = 0;
  _dispatch_main_queue_callback_4CF(NULL);
}

int descriptors_wait(int first, int second, long long nanoseconds) {
  struct pollfd wait[] = {{.fd = first, .events = POLLIN}, {.fd = second, .events = POLLIN}};
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  if (ppoll(wait, 2, nanoseconds < 0 ? NULL : &time, NULL) <= 0) return 0;
  return (wait[0].revents ? 1 : 0) | (wait[1].revents ? 2 : 0);
}

#else

int main_loop_install(void (*loop)(void)) {
  (void)loop;
  return 0;
}

int global_jobs_redirect(void (*enqueue)(void *job)) {
  (void)enqueue;
  return 0;
}

int main_queue_descriptor(void) { return -1; }

void main_queue_run(int descriptor) { (void)descriptor; }

int descriptors_wait(int first, int second, long long nanoseconds) {
  (void)first;
  (void)second;
  (void)nanoseconds;
  return 0;
}

#endif
