#include "CFuzzer.h"

// libFuzzer's own `main`, which is linked and never called, wants one of these.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  (void)bytes;
  (void)count;
  return 0;
}
