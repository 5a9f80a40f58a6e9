// ncurses and the system calls that a terminal needs, with wrappers for what Swift cannot import:
// macros, shared mutable globals, and everything that differs between platforms.

#define NCURSES_WIDECHAR 1
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/// Creates a terminal that writes to a file.
///
/// Ctrl-Z is ignored meanwhile, because ncurses handles it if nobody does, and then ignores it while
/// it draws: one that arrived in the middle of a frame would be lost.
static inline SCREEN *curses_new_terminal(const char *type, FILE *output, FILE *input) {
  struct sigaction ignoring = {.sa_handler = SIG_IGN}, before;
  sigaction(SIGTSTP, &ignoring, &before);
  SCREEN *screen = newterm(type, output, input);
  sigaction(SIGTSTP, &before, NULL);
  return screen;
}

static inline WINDOW *curses_standard_window(void) { return stdscr; }
static inline WINDOW *curses_current_window(void) { return curscr; }
static inline int curses_color_count(void) { return COLORS; }

static inline attr_t curses_bold(void) { return A_BOLD; }
static inline attr_t curses_dim(void) { return A_DIM; }
static inline attr_t curses_italic(void) { return A_ITALIC; }
static inline attr_t curses_underline(void) { return A_UNDERLINE; }
static inline attr_t curses_reverse(void) { return A_REVERSE; }

/// Returns a blank with these attributes and this colour pair, to be copied and given a character.
static inline cchar_t curses_blank(attr_t attributes, int pair) {
  static const wchar_t space[] = L" ";
  cchar_t cell;
  // Pair numbers beyond 15 bits do not fit the older argument; they are passed through the last
  // one.
  setcchar(&cell, space, attributes, 0, &pair);
  return cell;
}

/// Returns a capability of the current terminal; NULL if it has none.
static inline const char *curses_capability(const char *name) {
  const char *value = tigetstr(name);
  return value == (const char *)-1 ? NULL : value;
}

/// Whether the terminal's description says, in any of its ways, that colour numbers are RGB.
static inline int curses_numbers_are_rgb(void) {
  return tigetflag("RGB") > 0 || tigetnum("RGB") > 0 || curses_capability("RGB") != NULL;
}

// System headers declare these only if feature macros are defined, which a module cannot do.
extern int wcwidth(wchar_t character);
#ifdef __linux__
extern int memfd_create(const char *name, unsigned flags);
#endif

/// Opens a nameless file that disappears when the process ends; NULL if there is no room for it.
static inline FILE *anonymous_file(void) {
#ifdef __linux__
  int descriptor = memfd_create("frames", 1 /* closed in children */);
  if (descriptor < 0) return NULL;
  FILE *file = fdopen(descriptor, "w+");
  if (!file) close(descriptor);
  return file;
#else
  FILE *file = tmpfile();
  if (file) fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
  return file;
#endif
}

/// Maps a file that may grow up to `size` bytes; NULL if it cannot be mapped.
static inline void *descriptor_map(int descriptor, size_t size) {
  void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return map == MAP_FAILED ? NULL : map;
}

static inline void memory_unmap(void *map, size_t size) { munmap(map, size); }

static inline int c_error(void) { return errno; }

static inline int c_locale_is_utf8(void) {
  return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/// Reads the window size of a terminal; false if the terminal reports none.
static inline int terminal_size(int descriptor, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return size.ws_col > 0 && size.ws_row > 0;
}

/// Waits until a descriptor is readable or the time has passed; positive if it is readable.
static inline int descriptor_wait_to_read(int descriptor, int milliseconds) {
  struct pollfd wait = {.fd = descriptor, .events = POLLIN};
  return poll(&wait, 1, milliseconds);
}

/// Opens a file that child processes do not inherit; a new file is accessible only to the user.
static inline int descriptor_open(const char *path, int flags) {
  return open(path, flags | O_CLOEXEC, 0600);
}

/// Opens a file without a name, which ends with its descriptor and which child processes do not
/// inherit.
static inline int descriptor_open_unnamed(void) {
  FILE *file = tmpfile();
  if (!file) return -1;
  int copy = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
  fclose(file);
  if (copy >= 0) fcntl(copy, F_SETFL, O_APPEND);
  return copy;
}

/// Creates a pipe whose ends do not block and are not inherited by child processes.
static inline int descriptor_pipe(int ends[2]) {
  if (pipe(ends) != 0) return -1;
  for (int i = 0; i < 2; i++) {
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    fcntl(ends[i], F_SETFL, O_NONBLOCK);
  }
  return 0;
}

/// Returns the terminal modes of a full-screen program.
///
/// Output is not processed (ncurses relies on a bare line feed), and input arrives byte by byte.
/// Ctrl-C, Ctrl-\, Ctrl-Z, Ctrl-S and Ctrl-Q keep their meaning, and do not discard the keys that
/// were typed before them.
static inline struct termios terminal_modes_for_screen(struct termios modes) {
  modes.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | ISTRIP);
  modes.c_oflag &= ~(tcflag_t)OPOST;
  modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ECHONL | IEXTEN);
  modes.c_lflag |= ISIG | NOFLSH;
  modes.c_cflag = (modes.c_cflag & ~(tcflag_t)CSIZE) | CS8;
  modes.c_cc[VMIN] = 1;
  modes.c_cc[VTIME] = 0;
  return modes;
}
