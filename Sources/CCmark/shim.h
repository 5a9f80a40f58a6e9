#ifndef ARGYLE_CMARK_SHIM_H
#define ARGYLE_CMARK_SHIM_H

#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <stdlib.h>
#include <string.h>

#include "../CLimits/limits.h"

// The Markdown parser cmark-gfm, with limits.
//
// It has no limits of its own: a long reference that is used often, or a table with many columns
// and short rows, turns kilobytes into gigabytes, and nested brackets take quadratic time; when a
// text reaches two gigabytes, cmark ends the process. It gets all of its memory from the allocator
// below. When a limit is reached, the allocator leaves cmark by longjmp, and all blocks are freed,
// which are in a list. Nothing else has to be cleaned up: the table of characters that begin
// inlines stays as it is, and the next document sets it to the same values.

typedef struct argyle_cmark_block {
  struct argyle_cmark_block *previous, *next;
  size_t size;
  size_t padding;
} argyle_cmark_block;

typedef struct {
  argyle_cmark_block blocks;
  argyle_limits limits;
} argyle_cmark;

// The current run: cmark passes no context to its allocator, so only one document can be parsed at
// a time. The variable is in a function, because Swift does not emit variables that a header
// defines.
static inline argyle_cmark **argyle_cmark_current(void) {
  static argyle_cmark *current;
  return &current;
}

static inline void argyle_cmark_take(size_t size) {
  argyle_limits *limits = &(*argyle_cmark_current())->limits;
  argyle_limits_count(limits);
  argyle_limits_take(limits, size);
}

static inline void argyle_cmark_link(argyle_cmark_block *block, size_t size) {
  argyle_cmark_block *head = &(*argyle_cmark_current())->blocks;
  block->size = size;
  block->previous = head;
  block->next = head->next;
  head->next->previous = block;
  head->next = block;
}

static inline void argyle_cmark_unlink(argyle_cmark_block *block) {
  block->previous->next = block->next;
  block->next->previous = block->previous;
  (*argyle_cmark_current())->limits.memory_left += block->size;
}

static inline void *argyle_cmark_calloc(size_t count, size_t each) {
  size_t size = count * each + sizeof(argyle_cmark_block);
  argyle_cmark_take(size);
  argyle_cmark_block *block = calloc(1, size);
  if (!block) longjmp((*argyle_cmark_current())->limits.exit, 1);
  argyle_cmark_link(block, size);
  return block + 1;
}

static inline void *argyle_cmark_realloc(void *memory, size_t wanted) {
  if (!memory) return argyle_cmark_calloc(1, wanted);
  size_t size = wanted + sizeof(argyle_cmark_block);
  argyle_cmark_block *old = (argyle_cmark_block *)memory - 1;
  argyle_cmark_take(size);
  argyle_cmark_unlink(old);
  argyle_cmark_block *block = realloc(old, size);
  if (!block) {
    free(old);
    longjmp((*argyle_cmark_current())->limits.exit, 1);
  }
  argyle_cmark_link(block, size);
  return block + 1;
}

static inline void argyle_cmark_free(void *memory) {
  if (!memory) return;
  argyle_cmark_block *block = (argyle_cmark_block *)memory - 1;
  argyle_cmark_unlink(block);
  free(block);
}

typedef struct {
  /// Allocated with malloc; NULL when the text cannot be parsed within the limits.
  char *html;
  /// The text of the first heading, allocated with malloc; NULL if there is none.
  char *heading;
} argyle_cmark_result;

static inline char *argyle_cmark_copy(const char *text) { return text ? strdup(text) : NULL; }

/// Returns the text of the first heading of a document, allocated with malloc. If the document
/// begins with that heading and its text is not blank, the heading is removed.
static inline char *argyle_cmark_take_heading(cmark_node *document, cmark_mem *memory) {
  cmark_node *first = cmark_node_first_child(document);
  cmark_node *node = first;
  while (node && cmark_node_get_type(node) != CMARK_NODE_HEADING) node = cmark_node_next(node);
  if (!node) return NULL;
  char *text = cmark_render_plaintext_with_mem(node, 0, 0, memory);
  char *heading = argyle_cmark_copy(text);
  memory->free(text);
  bool is_blank = !heading || heading[strspn(heading, " \t\r\n")] == 0;
  if (node == first && !is_blank) {
    cmark_node_unlink(node);
    cmark_node_free(node);
  }
  return heading;
}

/// Converts Markdown to HTML. Must not be called on two threads at the same time.
///
/// `milliseconds` limits the processor time of the thread. `is_over` is called after every 64
/// allocations, and returns whether to stop.
static inline argyle_cmark_result argyle_cmark_html(
    const char *text, size_t length, int options, bool takes_heading, size_t memory_limit,
    unsigned milliseconds, bool (*is_over)(void *user, unsigned allocations), void *user) {
  argyle_cmark_result result = {NULL, NULL};
  // The result is on the heap, because longjmp may undo changes of local variables; volatile, so
  // that the pointer itself stays valid.
  argyle_cmark_result *volatile answer = calloc(1, sizeof *answer);
  argyle_cmark *run = calloc(1, sizeof *run);
  if (!run || !answer) {
    free(run);
    free(answer);
    return result;
  }
  run->blocks.next = run->blocks.previous = &run->blocks;
  argyle_limits_begin(&run->limits, memory_limit, milliseconds, 64, is_over, user);
  *argyle_cmark_current() = run;
  if (!setjmp(run->limits.exit)) {
    cmark_mem memory = {argyle_cmark_calloc, argyle_cmark_realloc, argyle_cmark_free};
    cmark_parser *parser = cmark_parser_new_with_mem(options, &memory);
    const char *names[] = {"table", "strikethrough", "autolink", "tasklist"};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
      cmark_syntax_extension *extension = cmark_find_syntax_extension(names[index]);
      if (extension) cmark_parser_attach_syntax_extension(parser, extension);
    }
    cmark_parser_feed(parser, text, length);
    cmark_node *document = cmark_parser_finish(parser);
    if (takes_heading) answer->heading = argyle_cmark_take_heading(document, &memory);
    char *html = cmark_render_html_with_mem(
        document, options, cmark_parser_get_syntax_extensions(parser), &memory);
    answer->html = argyle_cmark_copy(html);
  }
  result = *answer;
  free(answer);
  run = *argyle_cmark_current();
  *argyle_cmark_current() = NULL;
  // Frees the remaining blocks: after a longjmp all of them, otherwise the document and the parser.
  for (argyle_cmark_block *block = run->blocks.next; block != &run->blocks;) {
    argyle_cmark_block *next = block->next;
    free(block);
    block = next;
  }
  free(run);
  return result;
}

#endif
