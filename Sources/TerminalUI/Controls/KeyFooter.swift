/// A line with the keys in force, taken from the bindings themselves: as many as fit.
///
/// Bindings declared for the footer come first. The last two of them usually lead out of the
/// program, so they get room before all others. Of several keys that do the same, the first is
/// shown. While the user types a number or the beginning of a key sequence, the footer shows it
/// and the keys that can follow; after a key that does nothing, it says so for two seconds.
public struct KeyFooter: PrimitiveView {
  /// Creates a footer.
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
          // The panel covers the rows above the footer.
          panel.draw(in: Region(rect: rect, clip: rect, frame: frame), environment)
        }))
  }

  private func draw(_ keys: [KeyBinding], in region: Region) {
    // On a very low screen, a sheet reaches into this row.
    region.fill(environment.style)
    let first = keys.filter { $0.footer == .first }
    var labels = Set(first.map(\.label))
    let other = keys.filter { $0.footer == .ifRoom && labels.insert($0.label).inserted }
    // The last key has no gap after it.
    var room = region.rect.width + KeyPanel.gap
    func fits(_ item: KeyPanel.Item) -> Bool {
      let width = item.width + KeyPanel.gap
      guard width <= room else { return false }
      room -= width
      return true
    }
    let (leading, others) = (first.compactMap(\.item), other.compactMap(\.item))
    let last = leading.suffix(2).reversed().filter(fits).reversed()
    let shown = (leading.dropLast(2) + others).filter(fits)
    var x = 0
    for item in shown + last {
      x += region.write(item, x: x, y: 0, environment) + KeyPanel.gap
    }
  }
}
