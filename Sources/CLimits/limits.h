#ifndef ARGYLE_LIMITS_H
#define ARGYLE_LIMITS_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

// Limits on a parser that is written in C: on its memory, on the processor time of its thread, and
// a callback that can stop it.
//
// The parsers have no limits of their own, but they get all of their memory from an allocator that
// is passed to them. The allocator calls the functions below, which leave the parser by longjmp
// when a limit is reached.

typedef struct {
  size_t memory_left;
  unsigned allocations;
  // A power of two.
  unsigned allocations_between_checks;
  struct timespec deadline;
  // Called with the number of allocations since its last call; returns whether to stop.
  bool (*is_over)(void *user, unsigned allocations);
  void *user;
  jmp_buf exit;
} argyle_limits;

static inline void argyle_limits_begin(
    argyle_limits *limits, size_t memory, unsigned milliseconds,
    unsigned allocations_between_checks, bool (*is_over)(void *user, unsigned allocations),
    void *user) {
  limits->memory_left = memory;
  limits->allocations = 0;
  limits->allocations_between_checks = allocations_between_checks;
  limits->is_over = is_over;
  limits->user = user;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &limits->deadline);
  limits->deadline.tv_sec += milliseconds / 1000;
  limits->deadline.tv_nsec += milliseconds % 1000 * 1000000L;
  if (limits->deadline.tv_nsec >= 1000000000L) {
    limits->deadline.tv_sec += 1;
    limits->deadline.tv_nsec -= 1000000000L;
  }
}

/// Counts an allocation. At the set interval, it also checks the time and calls `is_over`.
static inline void argyle_limits_count(argyle_limits *limits) {
  unsigned interval = limits->allocations_between_checks;
  if ((++limits->allocations & (interval - 1)) != 0) return;
  if (limits->is_over(limits->user, interval)) longjmp(limits->exit, 1);
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  if (now.tv_sec > limits->deadline.tv_sec ||
      (now.tv_sec == limits->deadline.tv_sec && now.tv_nsec > limits->deadline.tv_nsec))
    longjmp(limits->exit, 1);
}

static inline void argyle_limits_take(argyle_limits *limits, size_t size) {
  if (size > limits->memory_left) longjmp(limits->exit, 1);
  limits->memory_left -= size;
}

#endif
