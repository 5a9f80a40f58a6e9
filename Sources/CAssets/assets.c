#include "assets.h"

static const unsigned char handbook[] = {
#embed "../../assets/handbook.atom"
};

// Terminus Font, under the SIL Open Font License: see assets/font.
static const unsigned char font[] = {
#embed "../../assets/font/terminus-10x20.bin"
};

const unsigned char *argyle_font(void) { return font; }
size_t argyle_font_size(void) { return sizeof font; }

const unsigned char *argyle_handbook(void) { return handbook; }
size_t argyle_handbook_size(void) { return sizeof handbook; }
