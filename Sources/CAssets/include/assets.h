#include <stddef.h>

/// The bundled feed: an Atom document in UTF-8, not terminated by a zero.
extern const unsigned char argyle_handbook[];
extern const size_t argyle_handbook_size;
