// The signals of a program that has a terminal, and what their handlers do.
//
// In C, because a handler may interrupt the allocator, whose lock then stays held: Swift asks it for
// room where nothing shows that, at the first use of a generic type, and would wait for ever.

#ifndef CSIGNALS_H
#define CSIGNALS_H

#include <signal.h>
#include <stddef.h>
#include <termios.h>

typedef void (*signal_handler)(int number, siginfo_t *information, void *context);

/// Keeps what is done about a signal now, for `signal_restore`.
void signal_keep(int number);

/// Sets a handler on the alternate stack, if the thread has one. Handlers that return run one after
/// the other: none interrupts another.
void signal_handle(int number, signal_handler handler);

/// Puts back what was kept.
void signal_restore(int number);
void signal_set_default(int number);
int signal_is_ignored(int number);

/// One more than the largest number of a signal.
static inline int signal_count(void) { return NSIG; }

/// Whether a signal would end the process as things are, and can be handled.
int signal_ends_process(int number);

/// Raises a signal on this thread even if it is blocked here, as it is on a dispatch worker.
void signal_raise(int number);

/// Gives this thread a second stack for its handlers, once: a stack that has overflown has no room
/// for one.
void signal_ensure_stack(void);

// Handlers.

/// Writes the signal's number to the pipe that `signal_tell_to` has named.
void signal_tell(int number, siginfo_t *information, void *context);
/// Writes a byte to the pipe that `signal_note_arrival_to` has named.
void signal_note_arrival(int number, siginfo_t *information, void *context);
void signal_do_nothing(int number, siginfo_t *information, void *context);
/// Gives the terminal back, and leaves the rest to what was kept; at the deadline it ends the process.
void signal_end(int number, siginfo_t *information, void *context);

/// Where signals are told; -1 for nowhere.
void signal_tell_to(int pipe);
void signal_note_arrival_to(int pipe);

/// Whether a signal that was told has asked the program to end.
int signal_has_told_to_end(void);
void signal_forget_end(void);

// The deadline: a process that was asked to end does so, even if its main thread is busy for ever.

/// How long the process has to end after a signal that was told has asked for that; 0 for no limit.
void signal_set_ending_time(unsigned seconds);
/// From now on the process has so many seconds to end: then it exits with status 75. The first call
/// counts. Async-signal-safe.
void deadline_begin(unsigned seconds);
/// How many microseconds are left until then; 0 where no such time has begun.
long deadline_left(void);
void deadline_forget(void);
int deadline_has_begun(void);

// The terminal, given back exactly once, from wherever the program ends: when its screen is closed,
// or in a handler, in the middle of a crash.

/// Prepares for giving a terminal back: the modes that it had, and the bytes that do, which are copied.
/// On the main thread, and not while it is taken.
void terminal_prepare(int descriptor, const struct termios *modes, const void *leaving, size_t count);

/// From now on the terminal is to be given back. Standard error, and standard output where it is the
/// terminal, go to `log` until then. On the main thread.
void terminal_take(int log);

/// Gives the terminal back, unless that was done; from any thread, and in a handler.
void terminal_give_back(void);

/// Whether this process may write to the terminal's modes without being stopped for it.
int terminal_is_foreground(int descriptor);

#endif
