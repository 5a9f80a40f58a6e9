/// The keys in force at this moment, in one line, taken from the bindings themselves.
public struct KeyFooter: PrimitiveView {
  /// A line of keys.
  public init() {}

  func makeNodes(_ context: ViewContext) -> [Node] { [KeyFooterNode(context)] }
}

private final class KeyFooterNode: Node {
  override func expands(_ axis: Axis) -> Bool { axis == .horizontal }

  override func measure(_ proposal: ProposedSize) -> Size {
    Size(width: proposal.width ?? 40, height: 1)
  }

  override func draw(in region: Region) {
    // The bindings are complete only when everything else is drawn.
    frame.deferred.append { [self] in drawKeys(in: region) }
  }

  private func drawKeys(in region: Region) {
    let keys = frame.keysInForce(layer: frame.topLayer).filter(\.isInFooter)
    var keyStyle = environment.style
    keyStyle.foreground = environment.theme.accent
    keyStyle.attributes.insert(.bold)
    var labelStyle = environment.style
    labelStyle.foreground = environment.theme.secondary
    // A sheet on a very low screen reaches into this row.
    region.fill(environment.style)
    var x = 0
    // What leads out is never what is cut: the last two, "? keys  q quit", have their room.
    let reserved = keys.suffix(2).reduce(0) { $0 + width(of: $1) + 2 }
    for (index, key) in keys.enumerated() {
      let isLast = index >= keys.count - 2
      let room = region.rect.width - (isLast ? 0 : reserved)
      guard x + width(of: key) <= room else { continue }
      x += region.write(name(of: key), x: x, style: keyStyle) + 1
      x += region.write(key.label, x: x, style: labelStyle) + 2
    }
  }

  private func name(of key: KeyBinding) -> String { key.keys.first?.description ?? "" }

  private func width(of key: KeyBinding) -> Int {
    columns(of: name(of: key)) + 1 + columns(of: key.label)
  }
}

extension FrameBuilder {
  /// The bindings that really get their keys, each key once.
  func keysInForce(layer: Int) -> [KeyBinding] {
    var taken: Set<KeyPress> = []
    return bindingsInForce(layer: layer).compactMap { declared in
      let keys = declared.binding.keys.filter { taken.insert($0).inserted }
      guard !keys.isEmpty else { return nil }
      let binding = declared.binding
      return KeyBinding(
        keys: keys, label: binding.label, isInFooter: binding.isInFooter, action: binding.action)
    }
  }
}

/// Every key in force on the screen behind a sheet.
public struct KeyList: PrimitiveView {
  /// A list of keys.
  public init() {}

  func makeNodes(_ context: ViewContext) -> [Node] {
    var keys = context.frame.keysInForce(layer: context.frame.layer - 1)
    if context.frame.focusables.count(where: { $0.layer == context.frame.layer - 1 }) > 1 {
      keys.append(
        KeyBinding(keys: [.tab, .backTab], label: "next pane, previous pane", isInFooter: false) {})
    }
    let names = keys.map { $0.keys.map(\.description).joined(separator: ", ") }
    let width = names.map(columns(of:)).max() ?? 0
    return context.resolve(
      VStack(alignment: .leading) {
        ForEach(0..<keys.count) { index in
          HStack(spacing: 2) {
            Text(names[index]).bold().foregroundStyle(\.accent)
              .frame(width: width, alignment: .leading)
            Text(keys[index].label)
          }
        }
      })
  }
}
