// Signals of a program with a terminal, and their handlers.
//
// Written in C, because a handler may interrupt the allocator while its lock is held. Swift
// allocates memory implicitly, for example on the first use of a generic type, and would deadlock.

#ifndef CSIGNALS_H
#define CSIGNALS_H

#include <signal.h>
#include <stddef.h>
#include <termios.h>

typedef void (*signal_handler)(int number, siginfo_t *information, void *context);

/// Saves the current action of a signal for `signal_restore`.
void signal_keep(int number);

/// Installs a handler that runs on the alternate stack, if the thread has one.
///
/// Handlers that return are never interrupted by one another.
void signal_handle(int number, signal_handler handler);

/// Restores the saved action of a signal.
void signal_restore(int number);
void signal_set_default(int number);
int signal_is_ignored(int number);

/// One more than the highest signal number.
static inline int signal_count(void) { return NSIG; }

/// Whether a signal can be handled and would end the process with its current action.
int signal_ends_process(int number);

/// Raises a signal on this thread even if it is blocked here, as it is on a dispatch worker.
void signal_raise(int number);

/// Gives this thread an alternate stack for handlers, once: after a stack overflow, the normal
/// stack has no room for a handler.
void signal_ensure_stack(void);

// Handlers.

/// A handler that writes the number of the signal to the pipe set by `signal_tell_to`.
void signal_tell(int number, siginfo_t *information, void *context);
/// A handler that writes a byte to the pipe set by `signal_note_arrival_to`.
void signal_note_arrival(int number, siginfo_t *information, void *context);
void signal_do_nothing(int number, siginfo_t *information, void *context);
/// A handler that restores the terminal and then runs the saved action; at the deadline it ends the
/// process.
void signal_end(int number, siginfo_t *information, void *context);

/// Sets the pipe for `signal_tell`; -1 for none.
void signal_tell_to(int pipe);
void signal_note_arrival_to(int pipe);

/// Whether a signal handled by `signal_tell` has asked the program to end.
int signal_has_told_to_end(void);
void signal_forget_end(void);

// The deadline: a process that was asked to end does end, even if its main thread is busy forever.

/// Sets how long the process may take to end after such a signal; 0 for no limit.
void signal_set_ending_time(unsigned seconds);
/// Starts the deadline: after this many seconds, the process exits with status 75. Only the first
/// call has an effect.
///
/// Async-signal-safe.
void deadline_begin(unsigned seconds);
/// The microseconds left until the deadline; 0 if none has been started.
long deadline_left(void);
void deadline_forget(void);
int deadline_has_begun(void);

// The terminal, which is restored exactly once, however the program ends: when its screen is
// closed, or in a signal handler during a crash.

/// Stores what is needed to restore a terminal: its original modes, and the bytes to write, which
/// are copied.
///
/// Call it on the main thread, while the terminal is not taken.
void terminal_prepare(int descriptor, const struct termios *modes, const void *leaving, size_t count);

/// Marks the terminal as taken, so that it has to be restored.
///
/// Until it is restored, standard output and standard error go to `log` where they are a terminal;
/// then, if `is_shown`, the end of the log is written to standard error, and the log is emptied.
/// Call it on the main thread.
void terminal_take(int log, int is_shown);

/// Restores the terminal, unless that has been done; callable on any thread and in a signal
/// handler.
void terminal_give_back(void);

/// Whether this process may change the terminal's modes without being stopped for it.
int terminal_is_foreground(int descriptor);

#endif
