// As many spinners as it is told, each in a cell of its own, four side by side, that turn ten times a
// second until `q` is pressed; j, k, h and l move a selection. At each turn it draws `all` of the
// screen again, or nothing but the `cells` that turn.
#define NCURSES_WIDECHAR 1
#include <locale.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const glyphs[] = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"};
enum { columns = 4 };
static int count, selected;

static void spinner(int cell, int tick) {
  attron(COLOR_PAIR(1));
  mvaddstr(cell / columns, cell % columns * (COLS / columns), glyphs[tick % 10]);
  attroff(COLOR_PAIR(1));
}

static void draw(int tick) {
  erase();
  for (int cell = 0; cell < count; cell++) {
    spinner(cell, tick);
    mvprintw(cell / columns, cell % columns * (COLS / columns) + 2,
             cell == selected ? "[cell %d]" : " cell %d ", cell);
  }
  mvaddstr(25, 0, "what stands still while the spinners above it turn");
  refresh();
}

static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

int main(int argument_count, char **arguments) {
  if (argument_count != 3) return 2;
  count = atoi(arguments[1]);
  int draws_all = strcmp(arguments[2], "all") == 0;
  setlocale(LC_ALL, "C.UTF-8");
  initscr();
  cbreak();
  noecho();
  keypad(stdscr, TRUE);
  set_escdelay(25);
  curs_set(0);
  start_color();
  use_default_colors();
  init_pair(1, COLOR_CYAN, -1);
  draw(0);
  int tick = 0;
  for (long long next = milliseconds() + 100;;) {
    long long left = next - milliseconds();
    timeout(left > 0 ? (int)left : 0);
    int key = getch();
    if (key == 'q') break;
    if (key == ERR) {
      next += 100;
      tick++;
      if (draws_all) {
        draw(tick);
      } else {
        for (int cell = 0; cell < count; cell++) spinner(cell, tick);
        refresh();
      }
      continue;
    }
    int step = key == 'j' ? columns : key == 'k' ? -columns : key == 'l' ? 1 : key == 'h' ? -1 : 0;
    if (selected + step >= 0 && selected + step < count) selected += step;
    draw(tick);
  }
  endwin();
  return 0;
}
