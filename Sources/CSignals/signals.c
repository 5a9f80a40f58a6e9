// System headers declare signals and their masks only if this macro is defined.
#define _GNU_SOURCE
#include "CSignals.h"
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

// Each entry is written before the handler that reads it is installed.
static struct sigaction kept[NSIG];
static atomic_int telling = -1;
static atomic_int noting = -1;
static atomic_bool has_told_to_end;
static atomic_uint ending_time;
static atomic_bool has_deadline;

void signal_keep(int number) { sigaction(number, NULL, &kept[number]); }

void signal_handle(int number, signal_handler handler) {
  static const int returning[] = {SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGCONT, SIGWINCH};
  struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (unsigned i = 0; i < sizeof returning / sizeof *returning; i++)
    sigaddset(&action.sa_mask, returning[i]);
  sigaction(number, &action, NULL);
}

void signal_restore(int number) { sigaction(number, &kept[number], NULL); }

void signal_set_default(int number) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

int signal_is_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && !(action.sa_flags & SA_SIGINFO)
      && action.sa_handler == SIG_IGN;
}

void signal_raise(int number) {
  sigset_t set, previous;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, &previous);
  raise(number);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
}

void signal_ensure_stack(void) {
  enum { size = 64 * 1024 };
  // Called for every frame of the main thread, so it makes the system call only once.
  static _Thread_local int has_been_here;
  if (has_been_here) return;
  has_been_here = 1;
  stack_t current;
  if (sigaltstack(NULL, &current) != 0 || !(current.ss_flags & SS_DISABLE)) return;
  stack_t stack = {.ss_sp = malloc(size), .ss_size = size};
  if (stack.ss_sp && sigaltstack(&stack, NULL) != 0) free(stack.ss_sp);
}

static void write_to(int pipe, unsigned char byte) {
  int error = errno;
  ssize_t written = write(pipe, &byte, 1);
  (void)written;
  errno = error;
}

void signal_tell(int number, siginfo_t *information, void *context) {
  if (number == SIGINT || number == SIGTERM || number == SIGHUP) {
    has_told_to_end = true;
    deadline_begin(ending_time);
  }
  write_to(telling, (unsigned char)number);
}

void signal_note_arrival(int number, siginfo_t *information, void *context) {
  write_to(noting, 1);
}

void signal_do_nothing(int number, siginfo_t *information, void *context) {}

/// Whether returning from the handler repeats the fault, because the kernel raised the signal for
/// an instruction that runs again.
static int repeats(int number, const siginfo_t *information) {
  int is_fault = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE;
  return is_fault && information != NULL && information->si_code > 0;
}

/// Ends a process that was asked to end but has not done so, perhaps because its main thread is
/// busy.
static void end_late(void) {
  static const char words[] =
      "The program did not end in time and was stopped. Changes that were not saved are lost.\n";
  struct pollfd wait = {.fd = STDERR_FILENO, .events = POLLOUT};
  // A terminal that accepts no output must not prevent the process from ending.
  if (poll(&wait, 1, 100) > 0) {
    ssize_t written = write(STDERR_FILENO, words, sizeof words - 1);
    (void)written;
  }
  _exit(75);
}

void signal_end(int number, siginfo_t *information, void *context) {
  terminal_give_back();
  if (number == SIGALRM && has_deadline) end_late();
  // The saved action receives the original fault if the faulty instruction can run again.
  signal_restore(number);
  if (!repeats(number, information)) raise(number);
}

int signal_ends_process(int number) {
  switch (number) {
  // These two cannot be handled.
  case SIGKILL: case SIGSTOP:
  case SIGCHLD: case SIGCONT: case SIGURG: case SIGWINCH: case SIGTSTP: case SIGTTIN: case SIGTTOU:
#ifdef SIGINFO
  case SIGINFO:
#endif
    return 0;
  }
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && !(action.sa_flags & SA_SIGINFO)
      && action.sa_handler == SIG_DFL;
}

void deadline_begin(unsigned seconds) {
  if (seconds == 0 || atomic_exchange(&has_deadline, true)) return;
  signal_handle(SIGALRM, signal_end);
  alarm(seconds);
}

long deadline_left(void) {
  struct itimerval timer;
  if (!has_deadline || getitimer(ITIMER_REAL, &timer) != 0) return 0;
  return timer.it_value.tv_sec * 1000000L + timer.it_value.tv_usec;
}

void deadline_forget(void) {
  if (atomic_exchange(&has_deadline, false)) alarm(0);
}

int deadline_has_begun(void) { return has_deadline; }
void signal_set_ending_time(unsigned seconds) { ending_time = seconds; }

void signal_tell_to(int pipe) { telling = pipe; }
void signal_note_arrival_to(int pipe) { noting = pipe; }
int signal_has_told_to_end(void) { return has_told_to_end; }
void signal_forget_end(void) { has_told_to_end = false; }
