#pragma once

/// How many blocks this thread has asked the allocator for.
unsigned long allocation_count(void);
