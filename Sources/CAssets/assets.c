#include "assets.h"

static const unsigned char handbook[] = {
#embed "../../assets/handbook.atom"
};

const unsigned char *argyle_handbook(void) { return handbook; }
size_t argyle_handbook_size(void) { return sizeof handbook; }
