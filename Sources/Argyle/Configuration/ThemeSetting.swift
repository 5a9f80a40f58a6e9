import TerminalUI

/// The name of a theme: one of those below, or one of the user's.
struct ThemeName: RawRepresentable, Hashable, CaseIterable, Sendable {
  let rawValue: String

  init(rawValue: String) { self.rawValue = rawValue }

  /// Dark or light, like the terminal's background; the terminal's own palette if the background is
  /// unknown.
  static let auto = ThemeName(rawValue: "auto")
  /// The terminal's own palette.
  static let terminal = ThemeName(rawValue: "terminal")
  static let dark = ThemeName(rawValue: "dark")
  static let light = ThemeName(rawValue: "light")
  static let highContrast = ThemeName(rawValue: "high-contrast")
  static let mono = ThemeName(rawValue: "mono")

  /// The program's own themes.
  static let allCases = [auto, terminal, dark, light, highContrast, mono]
}

/// A theme of the user's: a table `[[theme]]` of the configuration file.
struct OwnTheme: Hashable, Sendable {
  let name: String
  /// The built-in theme that supplies the colours that are not set.
  var base = ThemeName.auto
  /// The colours by the names of the parts.
  let colors: [String: Color]

  /// The parts that have a colour, in the order of the documentation.
  static let parts: [(name: String, path: WritableKeyPath<Theme, Color> & Sendable)] = [
    ("accent", \.accent), ("secondary", \.secondary), ("separator", \.separator),
    ("failure", \.failure), ("warning", \.warning), ("success", \.success),
    ("selection", \.selection), ("selected-text", \.selectedText),
    ("placeholder", \.placeholder), ("code", \.code), ("plate", \.plate), ("text", \.text),
    ("ground", \.ground),
  ]

  /// Returns the colours on a terminal.
  ///
  /// - Parameter background: the colour of the terminal's background; nil if it is unknown.
  func theme(on background: Color?) -> Theme {
    var theme = base.theme(on: background)
    for (name, path) in Self.parts {
      if let color = colors[name] { theme[keyPath: path] = color }
    }
    return theme
  }

  // MARK: Contrast

  /// The pairs of text and background colours that have to be legible.
  private static let pairs =
    ["accent", "secondary", "failure", "warning", "success", "code", "text"].flatMap { words in
      [(words, "ground"), (words, "plate")]
    } + [("selected-text", "selection")]

  /// The contrast below which text is hard to read.
  private static let leastContrast = 4.5

  /// A sentence for each pair of colours that is hard to read.
  ///
  /// Pairs with a colour that the terminal decides are skipped, since it is unknown.
  var warnings: [String] {
    var warnings: [String] = []
    // Both backgrounds are checked if the terminal's background decides.
    let grounds: [Color?] = base == .auto ? [Theme.dark.ground, Theme.light.ground] : [nil]
    for ground in grounds {
      let theme = theme(on: ground)
      for (words, behind) in Self.pairs {
        guard let one = Self.color(words, in: theme), let other = Self.color(behind, in: theme),
          let contrast = one.contrast(with: other), contrast < Self.leastContrast
        else { continue }
        let tenths = Int(contrast * 10)
        let warning =
          "theme “\(name)”: \(words) (\(one.toml)) on \(behind) (\(other.toml)) has a contrast of "
          + "\(tenths / 10).\(tenths % 10); below \(Self.leastContrast) words are hard to read."
        // The pair may be the same on both backgrounds.
        if !warnings.contains(warning) { warnings.append(warning) }
      }
    }
    return warnings
  }

  private static func color(_ name: String, in theme: Theme) -> Color? {
    parts.first { $0.name == name }.map { theme[keyPath: $0.path] }
  }
}

extension OwnTheme: TableSetting {
  static let header = "theme"
  static let names = ["name", "based-on"] + parts.map(\.name)
  static let comment =
    "A theme of your own: its name, the theme that it is based on (auto where that is left out), and any "
    + "of the colours \(parts.map(\.name).joined(separator: ", ")): \"#rrggbb\", a number of the "
    + "terminal's palette from 0 to 255, or one of \(Color.names.map(\.name).joined(separator: ", ")). "
    + "text and ground are what the terminal's own colours are taken for. argyle config --check warns of "
    + "colours that are hard to read. There may be any number of these:"
  static let example = [
    "name = \"sea\"", "based-on = \"dark\"", "accent = \"#8fd3ff\"", "selection = \"#204060\"",
  ]

  private static let baseKind = SettingKind<ThemeName>(
    wanted: "the choices are \(ThemeName.builtInNames)",
    read: { content in ThemeName.allCases.first { $0.rawValue == content.text } },
    write: \.rawValue.toml)

  private static let nameKind = SettingKind<String>(
    wanted: "it must be a name other than \(ThemeName.builtInNames)",
    read: { content in
      guard let name = SettingKind.name.read(content) else { return nil }
      return ThemeName.allCases.contains(ThemeName(rawValue: name)) ? nil : name
    }, write: \.toml)

  private static let colorKind = SettingKind<Color>(
    wanted: "it must be a colour: \"#rrggbb\", a number from 0 to 255, or one of "
      + Color.names.map(\.name).joined(separator: ", "), read: Color.init(toml:), write: \.toml)

  var uniqueName: (noun: String, name: String)? { ("a theme", name) }

  init?(_ table: inout TableReader) {
    let name = table.value("name", Self.nameKind)
    let base = table.value("based-on", Self.baseKind) ?? .auto
    var colors: [String: Color] = [:]
    for part in Self.parts { colors[part.name] = table.value(part.name, Self.colorKind) }
    guard table.isGood else { return nil }
    guard let name else {
      table.refuse(nil, "a theme must have a name")
      return nil
    }
    self.init(name: name, base: base, colors: colors)
  }

  var toml: [String] {
    ["name = \(name.toml)", "based-on = \(base.rawValue.toml)"]
      + Self.parts.compactMap { part in colors[part.name].map { "\(part.name) = \($0.toml)" } }
  }
}

extension Color {
  /// The colours of the terminal's palette, by their names.
  fileprivate static let names: [(name: String, color: Color)] =
    [("default", .default)]
    + ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"].enumerated()
    .flatMap { index, name in
      [(name, .palette(UInt8(index))), ("bright-\(name)", .palette(UInt8(index + 8)))]
    }

  fileprivate init?(toml content: TOMLValue.Content) {
    switch content {
    case .integer(let index):
      guard let index = UInt8(exactly: index) else { return nil }
      self = .palette(index)
    case .string(let text) where text.first == "#":
      let digits = text.dropFirst()
      guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
        let parts = UInt32(digits, radix: 16)
      else { return nil }
      self.init(
        red: UInt8(parts >> 16), green: UInt8(parts >> 8 & 0xFF), blue: UInt8(parts & 0xFF))
    case .string(let text):
      guard let named = Self.names.first(where: { $0.name == text }) else { return nil }
      self = named.color
    default: return nil
    }
  }

  fileprivate var toml: String {
    if let named = Self.names.first(where: { $0.color == self }) { return named.name.toml }
    switch kind {
    case .default: return "default".toml
    case .palette(let index): return "\(index)"
    case .rgb(let red, let green, let blue):
      let digits = [red, green, blue].map { part in
        (part < 16 ? "0" : "") + String(part, radix: 16)
      }
      return "#\(digits.joined())".toml
    }
  }
}

// MARK: Choosing a theme

extension ThemeName {
  fileprivate static var builtInNames: String {
    allCases.map(\.rawValue).joined(separator: ", ")
  }
}

extension SettingKind<ThemeName> {
  /// Accepts any name: which themes there are is known only when the whole file has been read.
  static let theme = SettingKind(
    wanted: "the choices are \(ThemeName.builtInNames)",
    read: { $0.text.map(ThemeName.init(rawValue:)) }, write: \.rawValue.toml)
}

extension DisplaySettings {
  /// The names of all themes.
  var themeNames: [String] {
    ThemeName.allCases.map(\.rawValue) + ownThemes.map(\.name)
  }

  /// Returns the theme's colours on a terminal.
  ///
  /// - Parameter background: the colour of the terminal's background; nil if it is unknown.
  func colors(on background: Color?) -> Theme {
    ownThemes.first { $0.name == theme.rawValue }?.theme(on: background)
      ?? theme.theme(on: background)
  }
}

extension ThemeName {
  /// Returns the theme's colours on a terminal.
  ///
  /// - Parameter background: the colour of the terminal's background; nil if it is unknown.
  fileprivate func theme(on background: Color?) -> Theme {
    switch self {
    case .auto:
      guard let background, let isDark = background.isDark else { return .standard }
      var theme = isDark ? Theme.dark : .light
      theme.ground = background
      return theme
    case .dark: return .dark
    case .light: return .light
    case .highContrast: return .highContrast
    case .mono: return .mono
    default: return .standard
    }
  }
}
