#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <term.h>
#include <wchar.h>
