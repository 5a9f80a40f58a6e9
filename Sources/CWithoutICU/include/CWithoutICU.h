#ifndef CWITHOUTICU_H
#define CWITHOUTICU_H

#include <stdint.h>

/// ICU's data as a table of contents without entries, the same as in ICU's own `stubdata.cpp`.
///
/// Foundation contains 34 MB of tables for calendars, languages and formats, none of which the
/// program needs. `make build` links the release with this data in their place. `ICUTests` fails
/// for code that would need the tables.
struct icu_data {
  uint16_t header_size;
  uint8_t magic[2];
  uint16_t info_size, reserved;
  uint8_t is_big_endian, charset_family, size_of_uchar, reserved_byte;
  uint8_t format[4], format_version[4], data_version[4];
  uint8_t padding[8];
  uint32_t count, no_entries[5];
};

extern const struct icu_data icu_without_data;

#endif
