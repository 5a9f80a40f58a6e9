// System headers declare flow control and descriptor duplication only if this macro is defined.
#define _GNU_SOURCE
#include "CSignals.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Written on the main thread, and only while the terminal is not taken; read only by the caller
// that changes `is_taken` from true to false. The flag orders the two, because a handler cannot
// lock.
static struct {
  int descriptor;
  struct termios modes;
  unsigned char *leaving;
  size_t count;
  int output;
  int error;
  // The log, if it is shown when the terminal is given back; otherwise negative.
  int shown_log;
} belongings;
static atomic_bool is_taken;

void terminal_prepare(int descriptor, const struct termios *modes, const void *leaving, size_t count) {
  static int gives_back_at_exit;
  free(belongings.leaving);
  belongings.leaving = malloc(count);
  belongings.count = belongings.leaving ? count : 0;
  memcpy(belongings.leaving, leaving, belongings.count);
  belongings.descriptor = descriptor;
  belongings.modes = *modes;
  // A library that calls `exit` also ends the program.
  if (!gives_back_at_exit) gives_back_at_exit = atexit(terminal_give_back) == 0;
}

/// Redirects a stream to the log and returns a copy of what it was, to restore it later.
static int redirect(int stream, int log) {
  int copy = fcntl(stream, F_DUPFD_CLOEXEC, 3);
  if (copy >= 0) dup2(log, stream);
  return copy;
}

static void give_back(int copy, int stream) {
  if (copy < 0) return;
  dup2(copy, stream);
  close(copy);
}

/// Writes the end of the log to standard error, without waiting for a terminal that is not read,
/// and empties the log; if that fails, the same lines come again.
static void show(int log) {
  char text[4096];
  off_t end = lseek(log, 0, SEEK_END);
  off_t position = end > 4 * (off_t)sizeof text ? end - 4 * (off_t)sizeof text : 0;
  while (position < end) {
    struct pollfd wait = {.fd = STDERR_FILENO, .events = POLLOUT};
    ssize_t count = pread(log, text, sizeof text, position);
    if (count <= 0 || poll(&wait, 1, 100) <= 0) break;
    if (write(STDERR_FILENO, text, (size_t)count) != count) break;
    position += count;
  }
  if (end > 0 && ftruncate(log, 0) != 0) return;
}

void terminal_take(int log, int is_shown) {
  // Taken again after a stop that was not noticed: the streams are already redirected.
  if (is_taken) return;
  belongings.output = isatty(STDOUT_FILENO) == 1 ? redirect(STDOUT_FILENO, log) : -1;
  belongings.error = isatty(STDERR_FILENO) == 1 ? redirect(STDERR_FILENO, log) : -1;
  belongings.shown_log = is_shown ? log : -1;
  is_taken = true;
}

static void write_leaving(int may_drop) {
  size_t written = 0;
  // Waits at most a second in total: a terminal that is no longer read must not prevent the process
  // from ending.
  int patience = 10;
  while (written < belongings.count && patience > 0) {
    ssize_t count = write(
        belongings.descriptor, belongings.leaving + written, belongings.count - written);
    if (count > 0) {
      written += (size_t)count;
    } else if (errno == EAGAIN) {
      // The output that is still waiting belongs to a frame that is about to disappear.
      if (may_drop && patience == 5) tcflush(belongings.descriptor, TCOFLUSH);
      struct pollfd wait = {.fd = belongings.descriptor, .events = POLLOUT};
      if (poll(&wait, 1, 100) <= 0) patience--;
    } else if (errno != EINTR) {
      return;
    }
  }
}

void terminal_give_back(void) {
  if (!atomic_exchange(&is_taken, false)) return;
  // In the background, only writing does not stop the process.
  int is_foreground = terminal_is_foreground(belongings.descriptor);
  if (is_foreground) {
    // A terminal stopped by Ctrl-S accepts no output, and Linux restarts it only after a `TCOOFF`
    // of ours.
    tcflow(belongings.descriptor, TCOOFF);
    tcflow(belongings.descriptor, TCOON);
  }
  write_leaving(is_foreground);
  // Without waiting for the output to drain, which may never happen.
  if (is_foreground) tcsetattr(belongings.descriptor, TCSANOW, &belongings.modes);
  give_back(belongings.output, STDOUT_FILENO);
  give_back(belongings.error, STDERR_FILENO);
  if (belongings.shown_log >= 0) show(belongings.shown_log);
}

int terminal_is_foreground(int descriptor) {
  pid_t group = tcgetpgrp(descriptor);
  return group < 0 || group == getpgrp();
}
