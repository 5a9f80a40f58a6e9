import Foundation

/// How many columns a terminal gives a scalar: 0 for marks, -1 for what it does not draw.
///
/// The C library's opinion, and not that of the code under test.
public func columnWidth(_ scalar: Unicode.Scalar) -> Int {
  guard let wcwidth else { preconditionFailure("the C library has no wcwidth") }
  return Int(wcwidth(wchar_t(scalar.value)))
}

// Looked up by name, because its declaration is hidden from modules.
private let wcwidth: (@convention(c) (wchar_t) -> Int32)? = {
  guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "wcwidth") else { return nil }
  return unsafeBitCast(symbol, to: (@convention(c) (wchar_t) -> Int32).self)
}()
