// Threads of one's own: those of a pool that others use, too, would keep what is set here.

#ifndef CTHREADS_H
#define CTHREADS_H

/// Starts a thread that nobody waits for. Returns 0, or why there is none.
///
/// It takes no signal meant for the process: those belong to the program's own handlers, and a SIGPIPE of
/// a closed connection must end nothing. Faults stay open, so that the handlers which restore the terminal
/// see a crash on this thread, too.
int thread_start(void *_Nullable (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);

/// From now on threads can give way to the main one: this is a program, and not a process of tests, whose
/// work is done anywhere.
void threads_put_main_first(void);

/// Has this thread, and those that it starts, go behind the main one: it gets the processor later, and
/// where there are several, one of them is left to others.
///
/// Its rank alone does not do: a thread that runs is not stopped at once when one of a higher rank wakes,
/// and the kernel has work of its own to do for each key before the main thread hears of it.
///
/// Does nothing before `threads_put_main_first`, and elsewhere than on Linux, where a thread has no rank of
/// its own.
void thread_give_way(void);

#endif
