// Only the link to the library: nobody imports it from Swift.
