#include "assets.h"

const unsigned char argyle_handbook[] = {
#embed "../../assets/handbook.atom"
};
const size_t argyle_handbook_size = sizeof argyle_handbook;
