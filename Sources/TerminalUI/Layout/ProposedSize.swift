/// The room that a view is offered; `nil` in a direction asks for what it would like to have.
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
