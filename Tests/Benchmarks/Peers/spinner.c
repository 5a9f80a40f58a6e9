// A list that stands still and a spinner that turns ten times a second until `q` is pressed. The
// whole screen is drawn again at each turn.
#define NCURSES_WIDECHAR 1
#include <locale.h>
#include <ncurses.h>

static const char *const glyphs[] = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"};

static void draw(int tick) {
  erase();
  attron(COLOR_PAIR(1));
  mvaddstr(0, 0, glyphs[tick % 10]);
  attroff(COLOR_PAIR(1));
  mvaddstr(0, 2, "Loading");
  for (int y = 1; y < LINES; y++)
    mvprintw(y, 0, "Row %d of a list that stands still while the spinner above it turns", y);
  refresh();
}

int main(void) {
  setlocale(LC_ALL, "C.UTF-8");
  initscr();
  cbreak();
  noecho();
  keypad(stdscr, TRUE);
  curs_set(0);
  start_color();
  use_default_colors();
  init_pair(1, COLOR_CYAN, -1);
  timeout(100);
  for (int tick = 0; tick == 0 || getch() != 'q'; tick++) draw(tick);
  endwin();
  return 0;
}
