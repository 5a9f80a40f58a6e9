// The main thread's own loop: see README.md beside this target.

#ifndef CMAINLOOP_H
#define CMAINLOOP_H

/// Has the main thread run `loop`, which must not return, once an asynchronous `main` waits for the first
/// time. Returns false where that cannot be done: nothing else here may be called then.
int main_loop_install(void (*loop)(void));

/// The descriptor that is readable while the main queue has work.
int main_queue_descriptor(void);

/// Does what is waiting in the main queue.
void main_queue_run(int descriptor);

/// Waits until one of two descriptors has bytes (the second one may be -1), or for so many
/// nanoseconds; for ever if they are negative. Returns which: 1 and 2 are bits.
int descriptors_wait(int first, int second, long long nanoseconds);

#endif
