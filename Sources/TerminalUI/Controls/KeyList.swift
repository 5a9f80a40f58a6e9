/// Every key in force on the screen behind a sheet, grouped by pane, in as many columns as fit;
/// ``KeyAction/search`` filters them.
public struct KeyList: View {
  private let elsewhere: [Section]
  @State private var query = ""
  @State private var isSearching = false
  @FocusState private var isTyping: Bool

  /// Actions of which none may be possible on the screen.
  public typealias Section = (title: String, actions: [KeyAction])

  /// Creates a list of keys.
  ///
  /// - Parameter elsewhere: the actions of the program, which a search finds also if their keys are
  ///   not in force on the screen, under a title that says where they are.
  public init(elsewhere: [Section] = []) { self.elsewhere = elsewhere }

  /// The search field, if it is open, above the keys, which scroll.
  public var body: some View {
    VStack(alignment: .leading) {
      if isSearching {
        TextField("what a key does", text: $query).focused($isTyping)
          .onKeyPress(action: .back, label: "all keys") {
            isSearching = false
            query = ""
          }
      }
      KeyColumns(
        query: isSearching ? query : "", elsewhere: elsewhere, rowsAbove: isSearching ? 1 : 0)
    }
    .onKeyPress(actions: [.search], reach: .pane, when: !isSearching) {
      isSearching = true
      isTyping = true
    }
  }
}

/// The keys whose names or labels contain the query.
private struct KeyColumns: PrimitiveView {
  let query: String
  let elsewhere: [KeyList.Section]
  /// The rows of the box that the search field takes.
  let rowsAbove: Int

  func makeNodes(_ context: ViewContext) -> [Node] {
    let groups = context.frame.keysInForce(layer: context.frame.layer - 1).groups
    let whole = KeyListLayout(groups, in: context.frame.size)
    let found =
      query.isEmpty
      ? groups : (groups + others(than: groups, in: context)).compactMap { $0.matching(query) }
    let table = query.isEmpty ? whole : KeyListLayout(found, in: whole.size(in: context.frame.size))
    return context.resolve(
      ScrollView {
        HStack(alignment: .top, spacing: table.gap) {
          if table.columns.isEmpty { Text("No key does that.") }
          ForEach(0..<table.columns.count) { KeyColumnView(column: table.columns[$0]) }
        }
        .frame(
          minWidth: min(whole.width, KeyListLayout.room(in: context.frame.size)),
          alignment: .topLeading)
      }
      // The box keeps its size while the user searches.
      .frame(maxHeight: max(1, whole.height - rowsAbove)))
  }
}

extension KeyColumns {
  /// The keys of the actions that are not in these groups, each under the first title.
  private func others(than groups: [KeyGroup], in context: ViewContext) -> [KeyGroup] {
    var known = Set(groups.flatMap(\.keys).flatMap(\.actions))
    return elsewhere.map { section in
      let actions = section.actions.filter { known.insert($0.name).inserted }
      let keys = actions.map {
        KeyBinding(sequences: context.environment.keyMap[$0], label: $0.label) {}
      }
      return KeyGroup(title: section.title, keys: keys.filter { !$0.keys.isEmpty })
    }
  }
}

private struct KeyColumnView: View {
  let column: KeyListLayout.Column

  var body: some View {
    VStack(alignment: .leading) {
      ForEach(0..<column.lines.count) { index in
        switch column.lines[index] {
        case .gap: Text(" ")
        case .title(let title): Text(title).bold().lineLimit(1)
        case .key(let names, let label):
          HStack(spacing: KeyListLayout.gapInside) {
            Text(names).bold().foregroundStyle(\.accent).lineLimit(1)
              .frame(width: column.nameWidth, alignment: .leading)
            Text(label).lineLimit(1)
          }
        }
      }
    }
  }
}

/// Lays out groups of keys as lines in columns.
struct KeyListLayout {
  enum Line: Equatable {
    case gap
    case title(String)
    case key(names: String, label: String)
  }

  struct Column {
    let lines: [Line]
    let nameWidth: Int
    let width: Int

    fileprivate init(_ lines: [Line]) {
      self.lines = lines
      var (nameWidth, labelWidth, titleWidth) = (0, 0, 0)
      for line in lines {
        switch line {
        case .gap: break
        case .title(let title): titleWidth = max(titleWidth, Terminal.columns(of: title))
        case .key(let names, let label):
          nameWidth = max(nameWidth, Terminal.columns(of: names))
          labelWidth = max(labelWidth, Terminal.columns(of: label))
        }
      }
      self.nameWidth = nameWidth
      width = max(titleWidth, nameWidth + KeyListLayout.gapInside + labelWidth)
    }
  }

  /// The gap between columns, wide if there is room, and the gap between a key and its label.
  private static let gaps = [4, 2]
  static let gapInside = 2
  /// The columns that the keys of one action take at most.
  private static let namesWidth = 19
  /// The columns and rows of the screen that the sheet, its scroll bar and the footer take.
  private static let (border, rowsAround) = (6, 3)

  /// The width that all columns together may have.
  static func room(in size: Size) -> Int { max(0, size.width - border) }

  /// The size of a screen whose room is as wide as these columns, so that fewer keys do not take more.
  func size(in screen: Size) -> Size {
    Size(width: min(screen.width, width + Self.border), height: screen.height)
  }

  private(set) var columns: [Column] = []
  private(set) var gap = gaps[0]

  var width: Int {
    columns.reduce(0) { $0 + $1.width } + gap * max(0, columns.count - 1)
  }
  var height: Int { columns.map(\.lines.count).max() ?? 0 }

  /// Splits the keys into as many columns as it takes to fit the height of the screen, if they fit
  /// its width.
  ///
  /// Of an action with many keys, lists only the first ones, so that there is room for columns. If
  /// not even one column fits, lists only the first key of each action, so that its label gets
  /// more room.
  init(_ groups: [KeyGroup], in size: Size) {
    for namesWidth in [Self.namesWidth, 0] {
      let lines = groups.flatMap { group -> [Line] in
        [.gap, .title(group.title)]
          + group.keys.map {
            .key(names: Self.names(of: $0.keys, width: namesWidth), label: $0.label)
          }
      }
      guard !lines.isEmpty else { return }
      let rows = max(1, size.height - Self.rowsAround)
      let count = min((lines.count + rows - 1) / rows, lines.count)
      for count in stride(from: count, through: 1, by: -1) {
        columns = Self.split(lines, into: count)
        for gap in Self.gaps {
          self.gap = gap
          if width <= Self.room(in: size) { return }
        }
      }
    }
  }

  /// Returns the names of as many keys as fit the width, but at least one.
  private static func names(of keys: [KeySequence], width: Int) -> String {
    var names = keys.first?.description ?? ""
    for key in keys.dropFirst() {
      let longer = "\(names), \(key)"
      guard Terminal.columns(of: longer) <= width else { break }
      names = longer
    }
    return names
  }

  /// Splits the lines into `count` columns of about the same height.
  private static func split(_ lines: [Line], into count: Int) -> [Column] {
    var columns: [Column] = []
    var rest = lines[...]
    for left in stride(from: count, to: 0, by: -1) {
      if rest.first == .gap { rest = rest.dropFirst() }
      var end = rest.startIndex + (rest.count + left - 1) / left
      // A title must not be the last line of a column.
      while left > 1, end - 1 > rest.startIndex, !rest[end - 1].isKey { end -= 1 }
      columns.append(Column(Array(rest[..<end])))
      rest = rest[end...]
    }
    return columns
  }
}

extension KeyListLayout.Line {
  fileprivate var isKey: Bool { if case .key = self { true } else { false } }
}
