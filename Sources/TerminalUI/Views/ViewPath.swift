/// Where a view stands in the tree, which is who it is: branches, types and ids are part of it.
struct ViewPath: Hashable {
  /// One step down the tree.
  enum Step: Hashable {
    case index(Int)
    case branch(Bool)
    case type(ObjectIdentifier)
    case id(AnyHashable, ordinal: Int)
    case object(ObjectIdentifier)
    /// A part with a name of its own, such as the placeholder beside the content.
    case role(StaticRole)

    /// The same as `hashValue` for an id, which comes from outside; else a few operations, since nearly
    /// every view makes a step.
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

    /// The finalizer of MurmurHash3: each bit of the value changes half of the result's.
    private static func mixed(_ value: Int, _ kind: UInt64) -> Int {
      var bits = UInt64(bitPattern: Int64(value)) &* 8 &+ kind
      bits = (bits ^ bits >> 33) &* 0xFF51_AFD7_ED55_8CCD
      bits = (bits ^ bits >> 33) &* 0xC4CE_B9FE_1A85_EC53
      return Int(truncatingIfNeeded: bits ^ bits >> 33)
    }
  }

  /// The parts of views that need a path of their own.
  enum StaticRole: Int {
    case overlay, background, content, copy, indicator, sheet
  }

  // Paths of one frame share their beginnings, and carry their hash: nearly every view makes one,
  // hardly any is looked up.
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

  // The hash is that of all steps, each of which has 64 bits of its own: paths that differ have the
  // same one less often than memory fails. To go through the steps up to the root would be
  // a sixth of the time that a frame takes.
  static func == (one: ViewPath, other: ViewPath) -> Bool {
    guard one.last !== other.last else { return true }
    guard let left = one.last, let right = other.last else { return false }
    return left.hash == right.hash && left.depth == right.depth && left.step == right.step
  }

  func hash(into hasher: inout Hasher) { hasher.combine(last?.hash ?? 0) }

  /// Whether it is `ancestor` or stands below it.
  func isWithin(_ ancestor: ViewPath) -> Bool {
    cut(to: ancestor.depth) == ancestor
  }

  /// How many steps from the root two paths have in common.
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
