/// A line with the keys in force, taken from the bindings themselves: as many as fit.
///
/// Bindings declared for the footer come first. Where not all of them fit, the key that leads back
/// gets room first, then the last two, which usually lead out of the program. Of several
/// keys that do the same, the first is shown. A click on a key presses it. While the user types a
/// number or the beginning of a key sequence, the footer shows it and the keys that can follow;
/// after a key that does nothing, it says so for two seconds.
public struct KeyFooter: PrimitiveView {
  /// Creates a footer.
  public init() {}

  func makeNodes(_ context: ViewContext) -> [Node] { [KeyFooterNode(context)] }
}

final class KeyFooterNode: Node {
  override func expands(_ axis: Axis) -> Bool { axis == .horizontal }

  override func measure(_ proposal: ProposedSize) -> Size {
    Size(width: proposal.width ?? 40, height: min(1, proposal.height ?? 1))
  }

  override func draw(in region: Region) {
    frame.declare(.footer(self, region))
  }

  /// Returns the keys shown in a column of the screen; nil if there are none.
  func keys(at column: Int, in region: Region, _ bindings: [KeyBinding]) -> KeySequence? {
    let x = column - region.rect.minX
    return Self.hints(bindings, width: region.rect.width).last { $0.x <= x }
      .flatMap { x < $0.x + $0.item.width ? $0.keys : nil }
  }

  func draw(_ bindings: [KeyBinding], in region: Region) {
    // On a very low screen, a sheet reaches into this row.
    region.fill(environment.style)
    for hint in Self.hints(bindings, width: region.rect.width) {
      _ = region.write(hint.item, x: hint.x, y: 0, environment)
    }
  }

  /// A key of the footer, in its column.
  @MainActor
  private struct Hint {
    let keys: KeySequence
    let item: KeyPanel.Item
    var x = 0

    init?(_ binding: KeyBinding) {
      guard let keys = binding.keys.first, let item = binding.item else { return nil }
      (self.keys, self.item) = (keys, item)
    }
  }

  /// Returns the keys that fit.
  private static func hints(_ bindings: [KeyBinding], width: Int) -> [Hint] {
    let first = bindings.filter { $0.footer == .first }
    var labels = Set(first.map(\.label))
    let other = bindings.filter { $0.footer == .ifRoom && labels.insert($0.label).inserted }
    let (leading, others) = (first.compactMap(Hint.init), other.compactMap(Hint.init))
    let all = Array(leading.dropLast(2)) + others + leading.suffix(2)
    let last = all.indices.suffix(min(2, leading.count)).reversed()
    let leadingBack = all.indices.filter { all[$0].keys.isKey(.escape) }
    // The last key has no gap after it.
    var room = width + KeyPanel.gap
    var shown: Set<Int> = []
    for index in leadingBack + last + all.indices where !shown.contains(index) {
      guard all[index].item.width + KeyPanel.gap <= room else { continue }
      room -= all[index].item.width + KeyPanel.gap
      shown.insert(index)
    }
    var x = 0
    return all.indices.filter(shown.contains).map { index in
      var hint = all[index]
      hint.x = x
      x += hint.item.width + KeyPanel.gap
      return hint
    }
  }
}
