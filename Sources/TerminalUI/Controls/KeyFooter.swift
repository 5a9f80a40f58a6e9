/// The keys in force at this moment, in one line, taken from the bindings themselves: as many as there
/// is room for.
///
/// Those that are declared for the footer come first; the last two of them, which lead out of the
/// program, have their room before all others. Of keys that do the same, the first is shown. While a
/// number or the beginning of several keys is typed, it shows that, and the keys that can follow; of a key
/// that does nothing it says so for two seconds.
public struct KeyFooter: PrimitiveView {
  /// A line of keys.
  public init() {}

  func makeNodes(_ context: ViewContext) -> [Node] { [KeyFooterNode(context)] }
}

private final class KeyFooterNode: Node {
  override func expands(_ axis: Axis) -> Bool { axis == .horizontal }

  override func measure(_ proposal: ProposedSize) -> Size {
    Size(width: proposal.width ?? 40, height: min(1, proposal.height ?? 1))
  }

  override func draw(in region: Region) {
    frame.declare(
      .footer(
        DeclaredFooter(rect: region.clip) { [self] in
          draw($0, in: region)
        } drawPanel: { [self] panel, rect in
          // It lies over what is above the footer.
          panel.draw(in: Region(rect: rect, clip: rect, frame: frame), environment)
        }))
  }

  private func draw(_ keys: [KeyBinding], in region: Region) {
    // A sheet on a very low screen reaches into this row.
    region.fill(environment.style)
    let first = keys.filter { $0.footer == .first }
    var labels = Set(first.map(\.label))
    let others = keys.filter { $0.footer == .ifRoom && labels.insert($0.label).inserted }
    // Behind the last one there is no gap.
    var room = region.rect.width + Self.gap
    func fits(_ key: KeyBinding) -> Bool {
      let width = width(of: key) + Self.gap
      guard width <= room else { return false }
      room -= width
      return true
    }
    let last = first.suffix(2).reversed().filter(fits).reversed()
    let shown = (first.dropLast(2) + others).filter(fits)
    var x = 0
    for key in shown + last { x += draw(key, at: x, in: region) + Self.gap }
  }

  private static let gap = 2

  private func draw(_ key: KeyBinding, at x: Int, in region: Region) -> Int {
    var keyStyle = environment.style
    keyStyle.foreground = environment.theme.accent
    keyStyle.attributes.insert(.bold)
    var labelStyle = environment.style
    labelStyle.foreground = environment.theme.secondary
    let nameWidth = region.write(key.name, x: x, style: keyStyle) + 1
    return nameWidth + region.write(key.label, x: x + nameWidth, style: labelStyle)
  }

  private func width(of key: KeyBinding) -> Int {
    columns(of: key.name) + 1 + columns(of: key.label)
  }
}

extension KeyBinding {
  /// The first of its keys, as it is written.
  fileprivate var name: String { keys.first?.description ?? "" }
}
