/// The horizontal or the vertical direction.
public enum Axis: Hashable, Sendable {
  /// Left to right.
  case horizontal
  /// Top to bottom.
  case vertical

  var other: Axis { self == .horizontal ? .vertical : .horizontal }
}

/// The horizontal position of a view that is narrower than its region.
public enum HorizontalAlignment: Hashable, Sendable {
  /// At the left.
  case leading
  /// In the middle.
  case center
  /// At the right.
  case trailing
}

/// The vertical position of a view that is shorter than its region.
public enum VerticalAlignment: Hashable, Sendable {
  /// At the top.
  case top
  /// In the middle.
  case center
  /// At the bottom.
  case bottom
}

/// The position of a view that is smaller than its region.
public struct Alignment: Hashable, Sendable {
  /// The horizontal alignment.
  public var horizontal: HorizontalAlignment
  /// The vertical alignment.
  public var vertical: VerticalAlignment

  /// Creates an alignment from one for each direction.
  public init(horizontal: HorizontalAlignment, vertical: VerticalAlignment) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  /// In the middle.
  public static let center = Alignment(horizontal: .center, vertical: .center)
  /// In the middle of the left edge.
  public static let leading = Alignment(horizontal: .leading, vertical: .center)
  /// In the middle of the right edge.
  public static let trailing = Alignment(horizontal: .trailing, vertical: .center)
  /// In the middle of the top edge.
  public static let top = Alignment(horizontal: .center, vertical: .top)
  /// In the middle of the bottom edge.
  public static let bottom = Alignment(horizontal: .center, vertical: .bottom)
  /// In the top left corner.
  public static let topLeading = Alignment(horizontal: .leading, vertical: .top)
  /// In the top right corner.
  public static let topTrailing = Alignment(horizontal: .trailing, vertical: .top)
  /// In the bottom left corner.
  public static let bottomLeading = Alignment(horizontal: .leading, vertical: .bottom)
  /// In the bottom right corner.
  public static let bottomTrailing = Alignment(horizontal: .trailing, vertical: .bottom)

  func place(_ size: Size, in rect: Rect) -> Rect {
    Rect(
      origin: Point(
        x: rect.minX + horizontal.offset(size.width, in: rect.width),
        y: rect.minY + vertical.offset(size.height, in: rect.height)),
      size: size)
  }
}

extension HorizontalAlignment {
  func offset(_ length: Int, in space: Int) -> Int {
    switch self {
    case .leading: 0
    case .center: max(0, (space - length) / 2)
    case .trailing: max(0, space - length)
    }
  }
}

extension VerticalAlignment {
  /// The alignment in a vertical direction by the names of a horizontal one.
  var across: HorizontalAlignment {
    switch self {
    case .top: .leading
    case .center: .center
    case .bottom: .trailing
    }
  }

  func offset(_ length: Int, in space: Int) -> Int { across.offset(length, in: space) }
}

extension Size {
  subscript(axis: Axis) -> Int {
    get { axis == .horizontal ? width : height }
    set { if axis == .horizontal { width = newValue } else { height = newValue } }
  }

  init(_ axis: Axis, main: Int, cross: Int) {
    self =
      axis == .horizontal ? Size(width: main, height: cross) : Size(width: cross, height: main)
  }
}

extension Int {
  /// All available room, in ``View/frame(minWidth:idealWidth:maxWidth:minHeight:idealHeight:maxHeight:alignment:)``.
  public static var infinity: Int { .max }
}

/// The room that a view is offered; `nil` in a direction means its ideal length.
struct ProposedSize: Hashable {
  var width: Int?
  var height: Int?

  init(width: Int? = nil, height: Int? = nil) {
    self.width = width.map { max(0, $0) }
    self.height = height.map { max(0, $0) }
  }

  init(_ size: Size) { self.init(width: size.width, height: size.height) }

  init(_ axis: Axis, main: Int?, cross: Int?) {
    self =
      axis == .horizontal
      ? ProposedSize(width: main, height: cross) : ProposedSize(width: cross, height: main)
  }

  subscript(axis: Axis) -> Int? { axis == .horizontal ? width : height }

  func inset(horizontal: Int, vertical: Int) -> ProposedSize {
    ProposedSize(width: width.map { $0 - horizontal }, height: height.map { $0 - vertical })
  }
}
