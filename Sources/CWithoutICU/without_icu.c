#include "CWithoutICU.h"

__attribute__((aligned(16))) const struct icu_data icu_without_data = {
  .header_size = 32, .magic = {0xDA, 0x27}, .info_size = 20, .size_of_uchar = 2,
  .format = {'T', 'o', 'C', 'P'}, .format_version = {1},
};
