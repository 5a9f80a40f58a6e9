// Shows the articles of a store beside its feeds until `q` is pressed; j, k, PgDn, PgUp, g and G
// move. The screen is argyle's, cell by cell. It is what one would write without any library but
// ncurses: rows in an array, one loop, and the whole screen drawn at each key. What has not changed,
// ncurses does not send.
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
  int count;  // Unread articles of a feed.
  int read;
};

struct list {
  struct row *rows;
  int count, capacity;
};

static struct list articles, feeds;
static int selected, top;

enum { gray = 1, cyan = 2, selection = 3 };

static void add(struct list *list, sqlite3_stmt *row) {
  if (list->count == list->capacity) {
    list->capacity = list->capacity ? 2 * list->capacity : 64;
    list->rows = realloc(list->rows, list->capacity * sizeof *list->rows);
    if (!list->rows) abort();
  }
  const char *title = (const char *)sqlite3_column_text(row, 0);
  list->rows[list->count++] = (struct row){
    strdup(title ? title : ""), sqlite3_column_double(row, 1), sqlite3_column_int(row, 2),
    sqlite3_column_int(row, 3)};
}

static int read_rows(sqlite3 *database, const char *query, struct list *list) {
  sqlite3_stmt *statement;
  if (sqlite3_prepare_v2(database, query, -1, &statement, NULL) != SQLITE_OK) return 0;
  while (sqlite3_step(statement) == SQLITE_ROW) add(list, statement);
  return sqlite3_finalize(statement) == SQLITE_OK;
}

static int read_store(const char *path) {
  sqlite3 *database;
  int done = sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK
    && read_rows(database,
                 "SELECT title, published, 0, isRead FROM article"
                 " ORDER BY listed DESC, id",
                 &articles)
    && read_rows(database, "SELECT title, 0, unreadCount, 0 FROM feed", &feeds);
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

static void put(int y, int x, const char *text, attr_t attributes, short pair) {
  attr_set(attributes, pair, NULL);
  mvaddstr(y, x, text);
}

// A title, with an ellipsis where there is no room for all of it: not after a blank.
static void title(int y, int x, int width, const char *text, attr_t attributes, short pair) {
  int length = (int)strlen(text);
  attr_set(attributes, pair, NULL);
  if (length <= width) {
    mvaddstr(y, x, text);
    return;
  }
  length = width - 1;
  while (length > 0 && text[length - 1] == ' ') length--;
  mvaddnstr(y, x, text, length);
  addstr("…");
}

static void feed(int y, int width, const char *name, int count, attr_t attributes, int is_selected) {
  char text[32] = "";
  if (count) snprintf(text, sizeof text, "%d", count);
  int length = (int)strlen(text);
  if (is_selected) {
    attr_set(A_BOLD, 0, NULL);
    mvhline(y, 0, ' ', width);
  }
  title(y, 0, width - (length ? length + 2 : 0), name, attributes | (is_selected ? A_BOLD : 0), 0);
  put(y, width - length, text, is_selected ? A_BOLD : 0, gray);
}

static void article(int y, int x, const struct row *row, int is_selected) {
  char date[32];
  short pair = is_selected ? selection : 0;
  int width = COLS - x;
  if (is_selected) {
    attr_set(0, selection, NULL);
    mvhline(y, x, ' ', width);
  }
  day(row->published, date, sizeof date);
  int right = width - (int)strlen(date);
  put(y, x + right, date, 0, pair ? pair : gray);
  if (!row->read) put(y, x + (right -= 2), "•", 0, pair ? pair : cyan);
  title(y, x, right - 2, row->title, row->read ? 0 : A_BOLD, pair);
}

static void draw(void) {
  int left = COLS / 3 < 32 ? COLS / 3 : 32, x = left + 3, height = LINES - 3, unread = 0;
  erase();
  put(0, 0, "[1 Articles]", A_BOLD, cyan);
  put(0, 12, " 2 Socks  3 Gallery  4 Catalog ", 0, 0);
  put(1, 0, "Feeds", A_BOLD, cyan);
  put(1, x, "All articles", A_BOLD, cyan);
  char total[32];
  snprintf(total, sizeof total, "%d articles", articles.count);
  put(1, COLS - (int)strlen(total), total, 0, gray);
  for (int i = 0; i < feeds.count; i++) unread += feeds.rows[i].count;
  feed(2, left, "All articles", articles.count, 0, 1);
  feed(3, left, "Unread", unread, unread ? A_BOLD : 0, 0);
  feed(4, left, "Today", 0, 0, 0);
  feed(5, left, "★ Starred", 0, 0, 0);
  for (int i = 0; i < feeds.count && i < height - 4; i++)
    feed(6 + i, left, feeds.rows[i].title, feeds.rows[i].count, feeds.rows[i].count ? A_BOLD : 0, 0);
  for (int y = 1; y < LINES - 1; y++) put(y, left + 1, "│", 0, gray);
  if (selected < top) top = selected;
  if (selected >= top + height) top = selected - height + 1;
  for (int i = top; i < articles.count && i < top + height; i++)
    article(2 + i - top, x, &articles.rows[i], i == selected);
  int column = 0;
  const char *const keys[][2] = {{"Enter", "open"}, {"r", "reload"}, {"?", "keys"}, {"q", "quit"}};
  for (int i = 0; i < 4; i++) {
    put(LINES - 1, column, keys[i][0], A_BOLD, cyan);
    column += (int)strlen(keys[i][0]) + 1;
    put(LINES - 1, column, keys[i][1], 0, gray);
    column += (int)strlen(keys[i][1]) + 2;
  }
  attr_set(0, 0, NULL);
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
  init_pair(gray, 8, -1);
  init_pair(cyan, COLOR_CYAN, -1);
  init_pair(selection, COLOR_BLACK, COLOR_CYAN);
  for (int key = 0; key != 'q';) {
    int page = LINES - 4, last = articles.count - 1;
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
