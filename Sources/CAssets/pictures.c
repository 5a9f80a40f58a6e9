#include <string.h>

#include "assets.h"

// The pictures of the bundled socks, drawn by assets/socks/draw.py.

static const unsigned char argyle_green[] = {
#embed "../../assets/socks/argyle-green.png"
};

static const unsigned char argyle_grey[] = {
#embed "../../assets/socks/argyle-grey.png"
};

static const unsigned char argyle_red[] = {
#embed "../../assets/socks/argyle-red.png"
};

static const unsigned char broken[] = {
#embed "../../assets/socks/broken.png"
};

static const unsigned char cable_cream[] = {
#embed "../../assets/socks/cable-cream.png"
};

static const unsigned char chevron_purple[] = {
#embed "../../assets/socks/chevron-purple.png"
};

static const unsigned char chevron_teal[] = {
#embed "../../assets/socks/chevron-teal.png"
};

static const unsigned char dots_plum[] = {
#embed "../../assets/socks/dots-plum.png"
};

static const unsigned char dots_yellow[] = {
#embed "../../assets/socks/dots-yellow.png"
};

static const unsigned char fair_isle_blue[] = {
#embed "../../assets/socks/fair-isle-blue.png"
};

static const unsigned char fair_isle_brown[] = {
#embed "../../assets/socks/fair-isle-brown.png"
};

static const unsigned char gingham_green[] = {
#embed "../../assets/socks/gingham-green.png"
};

static const unsigned char hearts_pink[] = {
#embed "../../assets/socks/hearts-pink.png"
};

static const unsigned char herringbone_grey[] = {
#embed "../../assets/socks/herringbone-grey.png"
};

static const unsigned char hiking_moss[] = {
#embed "../../assets/socks/hiking-moss.png"
};

static const unsigned char houndstooth_black[] = {
#embed "../../assets/socks/houndstooth-black.png"
};

static const unsigned char plain_black[] = {
#embed "../../assets/socks/plain-black.png"
};

static const unsigned char plain_white[] = {
#embed "../../assets/socks/plain-white.png"
};

static const unsigned char snow_red[] = {
#embed "../../assets/socks/snow-red.png"
};

static const unsigned char stars_navy[] = {
#embed "../../assets/socks/stars-navy.png"
};

static const unsigned char striped_navy[] = {
#embed "../../assets/socks/striped-navy.png"
};

static const unsigned char striped_rainbow[] = {
#embed "../../assets/socks/striped-rainbow.png"
};

static const unsigned char striped_tiger[] = {
#embed "../../assets/socks/striped-tiger.png"
};

#define PICTURE(name, bytes) {name, bytes, sizeof bytes}

static const struct {
  const char *name;
  const unsigned char *bytes;
  size_t size;
} pictures[] = {
    PICTURE("argyle-green", argyle_green),
    PICTURE("argyle-grey", argyle_grey),
    PICTURE("argyle-red", argyle_red),
    PICTURE("broken", broken),
    PICTURE("cable-cream", cable_cream),
    PICTURE("chevron-purple", chevron_purple),
    PICTURE("chevron-teal", chevron_teal),
    PICTURE("dots-plum", dots_plum),
    PICTURE("dots-yellow", dots_yellow),
    PICTURE("fair-isle-blue", fair_isle_blue),
    PICTURE("fair-isle-brown", fair_isle_brown),
    PICTURE("gingham-green", gingham_green),
    PICTURE("hearts-pink", hearts_pink),
    PICTURE("herringbone-grey", herringbone_grey),
    PICTURE("hiking-moss", hiking_moss),
    PICTURE("houndstooth-black", houndstooth_black),
    PICTURE("plain-black", plain_black),
    PICTURE("plain-white", plain_white),
    PICTURE("snow-red", snow_red),
    PICTURE("stars-navy", stars_navy),
    PICTURE("striped-navy", striped_navy),
    PICTURE("striped-rainbow", striped_rainbow),
    PICTURE("striped-tiger", striped_tiger),
};

const unsigned char *argyle_picture(const char *name, size_t *size) {
  for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
    if (strcmp(pictures[i].name, name) == 0) {
      *size = pictures[i].size;
      return pictures[i].bytes;
    }
  }
  return NULL;
}
