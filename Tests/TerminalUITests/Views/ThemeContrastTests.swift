import Foundation
import Testing

@testable import Terminal
@testable import TerminalUI

/// Tests that everything a theme draws is legible: every two colours that are used together have
/// the contrast that WCAG 2.2 requires, on each background that the theme is made for.
@Suite struct ThemeContrastTests {
  struct Ground: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let theme: Theme
    /// The terminal's own colours.
    let window: SVGTheme
    let background: String

    init(_ name: String, _ theme: Theme, _ window: SVGTheme, _ background: String? = nil) {
      self.background = background ?? window.background
      testDescription = "\(name) on \(self.background)"
      self.theme = theme
      self.window = window
    }
  }

  @Test func `where colours are few, a soft theme gives way to the terminal's own palette`() {
    for theme in [Theme.dark, .light] {
      #expect(theme.reduced(to: .eight) == .standard)
      #expect(theme.reduced(to: .sixteen) == .standard)
      #expect(theme.reduced(to: .palette) == theme)
      #expect(theme.reduced(to: .monochrome) == .mono)
    }
    #expect(Theme.highContrast.reduced(to: .eight) == .highContrast)
  }

  static let grounds = [
    Ground("dark", .dark, .dark), Ground("dark", .dark, .dark, "#000000"),
    Ground("dark", .dark, .dark, "#282a36"),
    Ground("light", .light, .light), Ground("light", .light, .light, "#ffffff"),
    Ground("light", .light, .light, "#f2f2f2"),
    Ground("high contrast", .highContrast, .highContrast),
  ]

  private typealias Part = (name: String, color: @Sendable (Theme) -> Color)

  private static let words: [Part] = [
    ("accent", { $0.accent }), ("secondary", { $0.secondary }), ("failure", { $0.failure }),
    ("warning", { $0.warning }), ("success", { $0.success }), ("code", { $0.code }),
    ("text", { $0.text }),
  ]
  private static let ornaments: [Part] = [
    ("separator", { $0.separator }), ("placeholder", { $0.placeholder }),
  ]

  @Test(arguments: grounds) func `words have a contrast of 4.5, ornaments of 3`(ground: Ground) {
    let (theme, window) = (ground.theme, ground.window)
    let plate = window.hex(theme.plate, default: ground.background)
    for (parts, least) in [(Self.words, 4.5), (Self.ornaments, 3)] {
      for part in parts {
        let color = window.hex(part.color(theme), default: window.foreground)
        for behind in [ground.background, plate] {
          let contrast = Self.contrast(color, behind)
          #expect(contrast >= least, "\(part.name) \(color) on \(behind)")
        }
      }
    }
    #expect(
      Self.contrast(
        window.hex(theme.selectedText, default: window.foreground),
        window.hex(theme.selection, default: ground.background)) >= 4.5)
  }

  @Test func `contrast is that of WCAG`() {
    #expect(Self.contrast("#000000", "#ffffff") == 21)
    #expect(
      Self.contrast("#777777", "#ffffff").formatted(.number.precision(.fractionLength(2))) == "4.48"
    )
  }

  private static func contrast(_ one: String, _ other: String) -> Double {
    let (a, b) = (luminance(one), luminance(other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  private static func luminance(_ hex: String) -> Double {
    let bits = Int(hex.dropFirst(), radix: 16) ?? 0
    let parts = [bits >> 16, bits >> 8 & 0xFF, bits & 0xFF].map { part in
      let value = Double(part) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
