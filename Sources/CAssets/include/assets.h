#include <stddef.h>

/// The bundled feed: an Atom document in UTF-8, not terminated by a zero.
const unsigned char *argyle_handbook(void);
size_t argyle_handbook_size(void);
