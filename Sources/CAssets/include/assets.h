#include <stddef.h>

/// The bundled feed: an Atom document in UTF-8, not terminated by a zero.
const unsigned char *argyle_handbook(void);
size_t argyle_handbook_size(void);

/// The shapes of glyphs that pictures of pixels are drawn with.
const unsigned char *argyle_font(void);
size_t argyle_font_size(void);

/// A bundled picture by its name, in PNG; NULL when there is none of that name.
const unsigned char *argyle_picture(const char *name, size_t *size);
