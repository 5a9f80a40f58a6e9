/// The identity of a view: its path through the branches, types and ids of the tree.
struct ViewPath: Hashable {
  /// One step down the tree.
  enum Step: Hashable {
    case index(Int)
    case branch(Bool)
    case type(ObjectIdentifier)
    case id(ItemID, ordinal: Int)
    case object(ObjectIdentifier)
    /// A part with a name, such as the placeholder beside the content.
    case role(StaticRole)

    /// For an id, which may come from outside, the same as `hashValue`; otherwise a few operations,
    /// because nearly every view makes a step.
    fileprivate var quickHash: Int {
      switch self {
      case .index(let index): Self.mixed(index, 1)
      case .branch(let isFirst): Self.mixed(isFirst ? 1 : 0, 2)
      case .type(let type): Self.mixed(Int(bitPattern: type), 3)
      case .object(let object): Self.mixed(Int(bitPattern: object), 4)
      case .role(let role): Self.mixed(role.rawValue, 5)
      case .id: hashValue
      }
    }

    /// The finalizer of MurmurHash3: each input bit affects half of the output bits.
    private static func mixed(_ value: Int, _ kind: UInt64) -> Int {
      var bits = UInt64(bitPattern: Int64(value)) &* 8 &+ kind
      bits = (bits ^ bits >> 33) &* 0xFF51_AFD7_ED55_8CCD
      bits = (bits ^ bits >> 33) &* 0xC4CE_B9FE_1A85_EC53
      return Int(truncatingIfNeeded: bits ^ bits >> 33)
    }
  }

  /// The parts of views that have a path of their own.
  enum StaticRole: Int {
    case overlay, background, content, copy, indicator, sheet
  }

  // Paths of one frame share their prefixes and store their hash, because nearly every view makes a
  // path but few paths are looked up.
  private final class Link {
    let parent: Link?
    let step: Step
    let hash: Int
    let depth: Int

    init(parent: Link?, step: Step) {
      self.parent = parent
      self.step = step
      hash = (parent?.hash ?? 0) &* 0x9E37_79B9 &+ step.quickHash
      depth = (parent?.depth ?? 0) + 1
    }
  }

  private let last: Link?

  /// The path of the root view.
  static var root: ViewPath { ViewPath(last: nil) }

  private init(last: Link?) { self.last = last }

  func appending(_ step: Step) -> ViewPath { ViewPath(last: Link(parent: last, step: step)) }

  var depth: Int { last?.depth ?? 0 }

  /// The paths from the root to this one, by their depths.
  var prefixes: [ViewPath] {
    var paths = [self]
    while let link = paths[paths.count - 1].last { paths.append(ViewPath(last: link.parent)) }
    return paths.reversed()
  }

  // Compares hashes instead of all steps: a hash covers all steps with 64 bits each, so different
  // paths have the same hash less often than memory fails. Comparing all steps up to the root would
  // take a sixth of the time of a frame.
  static func == (one: ViewPath, other: ViewPath) -> Bool {
    guard one.last !== other.last else { return true }
    guard let left = one.last, let right = other.last else { return false }
    return left.hash == right.hash && left.depth == right.depth && left.step == right.step
  }

  func hash(into hasher: inout Hasher) { hasher.combine(last?.hash ?? 0) }

  /// Whether this path is `ancestor` or below it.
  func isWithin(_ ancestor: ViewPath) -> Bool {
    cut(to: ancestor.depth) == ancestor
  }

  /// Whether this path is within one of `ancestors`, which are sorted from the deepest on.
  func isWithin(any ancestors: [ViewPath]) -> Bool {
    var path = self
    return ancestors.contains { ancestor in
      path = path.cut(to: ancestor.depth)
      return path == ancestor
    }
  }

  /// Returns the number of steps from the root that two paths have in common.
  func commonDepth(with other: ViewPath) -> Int {
    var (one, two) = (cut(to: other.depth), other.cut(to: depth))
    while one != two {
      one = one.cut(to: one.depth - 1)
      two = two.cut(to: two.depth - 1)
    }
    return one.depth
  }

  private func cut(to depth: Int) -> ViewPath {
    var link = last
    while let current = link, current.depth > depth { link = current.parent }
    return ViewPath(last: link)
  }
}
