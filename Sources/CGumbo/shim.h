#ifndef ARGYLE_GUMBO_SHIM_H
#define ARGYLE_GUMBO_SHIM_H

#include <gumbo.h>
#include <stdlib.h>

#include "../CLimits/limits.h"

// The HTML parser gumbo, with limits and an arena that is freed as a whole.
//
// Gumbo has no limits of its own: repeated unclosed formatting tags turn a few kilobytes into
// gigabytes, deep nesting takes quadratic time, and freeing the tree recurses once per level, which
// overflows a thread's stack. Gumbo gets all of its memory from the allocator below. When a limit
// is reached, the allocator leaves gumbo by longjmp, and the arena is freed. Nothing else has to be
// cleaned up, because gumbo's stack frames own only memory of the arena.

typedef struct argyle_gumbo_block {
  struct argyle_gumbo_block *next;
  size_t size;
} argyle_gumbo_block;

typedef struct {
  argyle_gumbo_block *blocks;
  char *position;
  size_t left;
  argyle_limits limits;
  GumboOutput *output;
} argyle_gumbo;

static inline void *argyle_gumbo_allocate(void *user, size_t size) {
  argyle_gumbo *arena = user;
  size = (size + 15) & ~(size_t)15;
  argyle_limits_count(&arena->limits);
  if (size > arena->left) {
    size_t wanted = size > (1 << 20) - 64 ? size : (1 << 20) - 64;
    argyle_limits_take(&arena->limits, wanted);
    argyle_gumbo_block *block = malloc(sizeof *block + wanted + 16);
    if (!block) longjmp(arena->limits.exit, 1);
    block->next = arena->blocks;
    block->size = wanted;
    arena->blocks = block;
    arena->position = (char *)(((size_t)(block + 1) + 15) & ~(size_t)15);
    arena->left = wanted;
  }
  void *result = arena->position;
  arena->position += size;
  arena->left -= size;
  return result;
}

static inline void argyle_gumbo_deallocate(void *user, void *memory) {
  (void)user;
  (void)memory;
}

static inline void argyle_gumbo_free(argyle_gumbo *arena) {
  while (arena->blocks) {
    argyle_gumbo_block *next = arena->blocks->next;
    free(arena->blocks);
    arena->blocks = next;
  }
  free(arena);
}

/// Parses a text; returns NULL when that exceeds a limit. The text must outlive the result.
///
/// `milliseconds` limits the processor time of the thread. `is_over` is called after every 1,024
/// allocations, and returns whether to stop.
static inline argyle_gumbo *argyle_gumbo_parse(
    const char *text, size_t length, size_t memory_limit, unsigned milliseconds,
    bool (*is_over)(void *user, unsigned allocations), void *user) {
  argyle_gumbo *arena = calloc(1, sizeof *arena);
  if (!arena) return NULL;
  argyle_limits_begin(&arena->limits, memory_limit, milliseconds, 1024, is_over, user);
  if (setjmp(arena->limits.exit)) {
    argyle_gumbo_free(arena);
    return NULL;
  }
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = argyle_gumbo_allocate;
  options.deallocator = argyle_gumbo_deallocate;
  options.userdata = arena;
  // Each recorded error would cost an allocation, and the errors are not used.
  options.max_errors = 0;
  arena->output = gumbo_parse_with_options(&options, text, length);
  return arena;
}

/// Returns how many bytes the tree takes.
static inline size_t argyle_gumbo_size(const argyle_gumbo *arena) {
  size_t size = 0;
  for (argyle_gumbo_block *block = arena->blocks; block; block = block->next) size += block->size;
  return size;
}

static inline GumboNode *argyle_gumbo_root(const argyle_gumbo *arena) {
  return arena->output ? arena->output->root : NULL;
}

#endif
