/// The colours of the parts of a screen.
///
/// Colour is never the only carrier of a meaning: everything can be read without it.
public struct Theme: Hashable, Sendable {
  /// What has the focus, and links.
  public var accent: Color
  /// Text of less weight: dates, sources.
  public var secondary: Color
  /// Lines and borders.
  public var separator: Color
  /// What went wrong.
  public var failure: Color
  /// What needs attention.
  public var warning: Color
  /// What went well.
  public var success: Color
  /// Behind the selected row of the focused list.
  public var selection: Color
  /// Text on ``selection``.
  public var selectedText: Color
  /// Blocks that stand for text to come.
  public var placeholder: Color
  /// Code.
  public var code: Color

  /// The terminal's own palette: right on dark and on light.
  public static let standard = Theme(
    accent: .cyan, secondary: .gray, separator: .gray, failure: .red, warning: .yellow,
    success: .green, selection: .cyan, selectedText: .black, placeholder: .gray, code: .green)

  /// No colour at all: attributes carry everything.
  public static let mono = Theme(
    accent: .default, secondary: .default, separator: .default, failure: .default,
    warning: .default, success: .default, selection: .default, selectedText: .default,
    placeholder: .default, code: .default)
}
