// Shows the articles of a store beside its feeds until `q` is pressed; j, k, PgDn, PgUp, g and G
// move. It is what one would write without any library but ncurses: rows in an array, one loop, and
// the whole screen drawn at each key. What has not changed, ncurses does not send.
#define NCURSES_WIDECHAR 1
#include <locale.h>
#include <ncurses.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef LINKED  // To everything that a reader of feeds is linked to.
#include <curl/curl.h>
#include <gumbo.h>
#include <libxml/parser.h>
#endif

struct row {
  char *title;
  double published;
};

struct list {
  struct row *rows;
  int count, capacity;
};

static struct list articles, feeds;
static int selected, top;

static void add(struct list *list, const char *title, double published) {
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 64;
    list->rows = realloc(list->rows, list->capacity * sizeof *list->rows);
    if (!list->rows) abort();
  }
  list->rows[list->count++] = (struct row){strdup(title ? title : ""), published};
}

static int read_rows(sqlite3 *database, const char *query, struct list *list) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(database, query, -1, &statement, NULL) != SQLITE_OK) return 0;
  while (sqlite3_step(statement) == SQLITE_ROW)
    add(list, (const char *)sqlite3_column_text(statement, 0), sqlite3_column_double(statement, 1));
  return sqlite3_finalize(statement) == SQLITE_OK;
}

static int read_store(const char *path) {
  sqlite3 *database;
  int done = sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK
    && read_rows(database, "SELECT title, published FROM article ORDER BY listed DESC, id",
                 &articles)
    && read_rows(database,
                 "SELECT title, (SELECT COUNT(*) FROM article WHERE feedID = feed.id) FROM feed",
                 &feeds);
  if (!done) fprintf(stderr, "%s: %s\n", path, sqlite3_errmsg(database));
  sqlite3_close(database);
  return done;
}

static void day(double seconds, char *text, size_t size) {
  time_t now = time(NULL), then = (time_t)seconds;
  struct tm today, date;
  localtime_r(&now, &today);
  localtime_r(&then, &date);
  strftime(text, size, date.tm_year == today.tm_year ? "%-d %b" : "%Y-%m-%d", &date);
}

// A line with something at its left and something at its right end.
static void line(int y, int x, int width, const char *left, const char *right) {
  int length = (int)strlen(right);
  mvhline(y, x, ' ', width);
  mvaddnstr(y, x, left, width - length - 1);
  attron(A_DIM);
  mvaddstr(y, x + width - length, right);
  attroff(A_DIM);
}

static void draw(void) {
  char text[32];
  int left = COLS / 3 < 32 ? COLS / 3 : 32, x = left + 2, height = LINES - 2;
  erase();
  attron(A_BOLD);
  mvaddstr(0, 0, "Feeds");
  mvaddstr(0, x, "All articles");
  attroff(A_BOLD);
  snprintf(text, sizeof text, "%d", articles.count);
  line(1, 0, left, "All articles", text);
  for (int i = 0; i < feeds.count && i < height - 1; i++) {
    snprintf(text, sizeof text, "%d", (int)feeds.rows[i].published);
    line(2 + i, 0, left, feeds.rows[i].title, text);
  }
  mvvline(0, left, ACS_VLINE, LINES - 1);
  if (selected < top) top = selected;
  if (selected >= top + height) top = selected - height + 1;
  for (int i = top; i < articles.count && i < top + height; i++) {
    day(articles.rows[i].published, text, sizeof text);
    if (i == selected) attron(A_REVERSE);
    line(1 + i - top, x, COLS - x, articles.rows[i].title, text);
    if (i == selected) attroff(A_REVERSE);
  }
  mvaddnstr(LINES - 1, 0, "j/k move  g/G first/last  PgUp/PgDn page  q quit", COLS);
  refresh();
}

int main(int count, char **arguments) {
  if (count != 2) {
    fprintf(stderr, "usage: %s STORE\n", arguments[0]);
    return 2;
  }
#ifdef LINKED  // One use of each, or the linker would leave it out.
  if (!curl_version() || !xmlParserVersion || !gumbo_normalized_tagname(GUMBO_TAG_HTML)) abort();
#endif
  setlocale(LC_ALL, "C.UTF-8");
  if (!read_store(arguments[1])) return 1;
  initscr();
  cbreak();
  noecho();
  keypad(stdscr, TRUE);
  set_escdelay(25);
  idlok(stdscr, TRUE);
  curs_set(0);
  start_color();
  use_default_colors();
  for (int key = 0; key != 'q';) {
    int page = LINES - 2, last = articles.count - 1;
    if (key == 'j') selected++;
    if (key == 'k') selected--;
    if (key == KEY_NPAGE) selected += page;
    if (key == KEY_PPAGE) selected -= page;
    if (key == 'g') selected = 0;
    if (key == 'G') selected = last;
    if (selected > last) selected = last;
    if (selected < 0) selected = 0;
    draw();
    key = getch();
  }
  endwin();
  return 0;
}
