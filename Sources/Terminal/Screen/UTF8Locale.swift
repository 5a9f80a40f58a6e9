import CNcurses

/// Makes the C library, and with it ncurses, take text for UTF-8, whatever the environment says:
/// a locale that is not installed is common, a terminal that is not UTF-8 is not.
func useUTF8Locale() throws(TerminalError) {
  for name in ["", "C.UTF-8", "en_US.UTF-8"] {
    if c_locale_is_utf8() != 0 { return }
    setlocale(LC_CTYPE, name)
  }
  if c_locale_is_utf8() == 0 { throw .noUTF8Locale }
}
