// A loop for the main thread: see README.md in this target.

#ifndef CMAINLOOP_H
#define CMAINLOOP_H

/// Whether the loop is built at all: README.md says where it is not.
static inline int main_loop_is_built(void) {
#if defined(__linux__) && !defined(PLAIN_MAIN_LOOP)
  return 1;
#else
  return 0;
#endif
}

/// Makes the main thread run `loop`, which must not return, as soon as an asynchronous `main` first
/// suspends.
///
/// Returns false if that is not possible; then no other function of this header may be called.
int main_loop_install(void (*loop)(void));

/// The descriptor that is readable while the main queue has work.
int main_queue_descriptor(void);

/// Runs the work that is waiting in the main queue.
void main_queue_run(int descriptor);

/// Waits until one of two descriptors is readable (the second may be -1), or until a number of
/// nanoseconds has passed; without a limit if it is negative.
///
/// Returns a bit mask: 1 for the first descriptor, 2 for the second.
int descriptors_wait(int first, int second, long long nanoseconds);

/// From now on calls `enqueue` with each job that the runtime would run on its own pool of threads. Returns
/// false where that cannot be done.
int global_jobs_redirect(void (*enqueue)(void *job));

#endif
