import Foundation

extension Color {
  /// How well one of two colours is seen on the other, as WCAG 2.2 counts it: from 1, the same, to 21,
  /// black on white; nil where either depends on the settings of the terminal.
  ///
  /// Words are easy to read from 4.5 on, ornaments are seen from 3 on.
  public func contrast(with other: Color) -> Double? {
    guard let one = luminance, let two = other.luminance else { return nil }
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  private var luminance: Double? {
    components.map { parts in
      func linear(_ part: UInt8) -> Double {
        let value = Double(part) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      }
      return 0.2126 * linear(parts.red) + 0.7152 * linear(parts.green)
        + 0.0722 * linear(parts.blue)
    }
  }
}
