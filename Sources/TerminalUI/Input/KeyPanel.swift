/// The keys that can follow a pending key sequence, each with what it does.
///
/// After keys that do nothing, it says so, beside the last keys of the footer, which lead out of
/// the screen. It takes the row of the footer, and rows above it if the keys do not fit there.
struct KeyPanel: Equatable {
  struct Item: Equatable {
    let key: String
    let label: String
    var width: Int { columns(of: key) + 1 + columns(of: label) }
  }

  /// What was typed, or the message about it.
  let title: String
  /// The items, row by row.
  let lines: [[Item]]
  private let isComplaint: Bool

  /// The columns between two items.
  static let gap = 2
  private static let cancel = Item(key: "Esc", label: "cancel")

  /// Creates a panel.
  ///
  /// - Parameter size: the width of the footer, and the height of the screen.
  @MainActor
  init(_ typed: TypedKeys, _ keys: KeysInForce, in size: Size) {
    isComplaint = typed.complaint != nil
    if let complaint = typed.complaint {
      title = complaint
      var room = size.width - columns(of: title)
      lines = [
        keys.leadingOn.reversed().filter { item in
          room -= Self.gap + item.width
          return room >= 0
        }
        .reversed()
      ]
      return
    }
    title = typed.text
    let isNumber = typed.keys.isEmpty
    let items =
      isNumber ? keys.counted : keys.following(typed.keys)
    // A number precedes keys that the user knows, so one row is enough.
    let height = isNumber ? 1 : max(1, size.height / 2)
    lines = Self.lines(items, beside: columns(of: title), width: size.width, height: height)
  }

  private static func lines(
    _ items: [Item], beside title: Int, width: Int, height: Int
  ) -> [[Item]] {
    var lines: [[Item]] = [[]]
    var room = width - title - cancel.width - gap
    for item in items {
      if item.width + gap > room {
        // If no further row is allowed, narrower items may still fit in this one.
        guard lines.count < height, item.width <= width, lines != [[]] || title > 0 else {
          continue
        }
        lines.append([])
        room = width + gap
      }
      lines[lines.count - 1].append(item)
      room -= item.width + gap
    }
    // Esc is in the row of the typed keys: a narrow screen has room for nothing more.
    if title + gap + cancel.width <= width { lines[0].append(cancel) }
    return lines
  }

  @MainActor
  func draw(in region: Region, _ environment: EnvironmentValues) {
    let styles = KeyStyles(environment)
    region.fill(environment.style)
    for (y, line) in lines.enumerated() {
      var x = 0
      if y == 0 {
        x += region.write(title, x: x, style: isComplaint ? styles.label : styles.key) + Self.gap
      }
      for item in line { x += region.write(item, x: x, y: y, environment) + Self.gap }
    }
  }
}

/// The styles of a key and of what it does.
private struct KeyStyles {
  var key: Style
  var label: Style

  @MainActor
  init(_ environment: EnvironmentValues) {
    (key, label) = (environment.style, environment.style)
    key.foreground = environment.theme.accent
    key.attributes.insert(.bold)
    label.foreground = environment.theme.secondary
  }
}

extension Region {
  /// Writes a key and what it does, and returns the columns that they took.
  func write(_ item: KeyPanel.Item, x: Int, y: Int, _ environment: EnvironmentValues) -> Int {
    let styles = KeyStyles(environment)
    let keyWidth = write(item.key, x: x, y: y, style: styles.key) + 1
    return keyWidth + write(item.label, x: x + keyWidth, y: y, style: styles.label)
  }
}

extension KeyBinding {
  /// The first key and what it does.
  var item: KeyPanel.Item? { keys.first.map { KeyPanel.Item(key: "\($0)", label: label) } }
}

extension KeysInForce {
  /// The keys that can follow the typed ones.
  fileprivate func following(_ typed: [KeyPress]) -> [KeyPanel.Item] {
    var items: [KeyPanel.Item] = []
    var places: [KeyPress: Int] = [:]
    for declared in distinct {
      for keys in declared.binding.keys where keys.begins(with: typed) {
        let all = keys.keys
        guard all.count > typed.count else { continue }
        let next = all[typed.count]
        if let place = places[next] {
          items[place] = KeyPanel.Item(key: "\(next)", label: "…")
        } else {
          places[next] = items.count
          let label = all.count == typed.count + 1 ? declared.binding.label : "…"
          items.append(KeyPanel.Item(key: "\(next)", label: label))
        }
      }
    }
    return items
  }

  /// The last two keys declared for the footer.
  fileprivate var leadingOn: [KeyPanel.Item] {
    distinct.filter { $0.binding.footer == .first }.suffix(2).compactMap(\.binding.item)
  }

  /// The keys that a number can precede.
  fileprivate var counted: [KeyPanel.Item] {
    distinct.filter { $0.binding.counted != nil }.compactMap(\.binding.item)
  }
}
