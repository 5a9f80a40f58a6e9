/// A region that answers to the mouse, while a frame is built.
struct PointerRegion {
  let path: ViewPath
  let rect: Rect
  let layer: Int
  /// Gets the event with its place within the region, and says whether it was for it.
  let action: @MainActor (MouseEvent) -> Bool
}

extension ViewContext {
  func declarePointerRegion(
    _ region: Region, action: @escaping @MainActor (MouseEvent) -> Bool
  ) {
    guard environment.isEnabled, !environment.isInert, !region.isHidden else { return }
    let origin = region.rect.origin
    frame.declare(
      .pointerRegion(
        PointerRegion(path: path, rect: region.clip, layer: frame.layer) { event in
          var event = event
          event.location = Point(x: event.location.x - origin.x, y: event.location.y - origin.y)
          return action(event)
        }))
  }
}
