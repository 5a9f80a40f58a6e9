public import Loading

/// Views that depend on the time, and are made again when they say so.
///
/// ```swift
/// TimelineView(changesAfter: { now in now < end ? end : nil }) { now in
///   if now < end { Text("✓ saved") }
/// }
/// ```
///
/// A change that falls between two ticks of the screen is drawn with the later one. Views that are out
/// of sight change when they come into sight: nothing wakes for them, and what is beside them waits too.
public struct TimelineView<Content: View>: PlacedView {
  let next: @MainActor (AnyClock.Instant) -> AnyClock.Instant?
  let content: (AnyClock.Instant) -> Content

  /// - Parameters:
  ///   - next: given the time of a frame, when the views change by themselves; nil for never.
  ///   - content: the views at a time.
  public init(
    changesAfter next: @escaping @MainActor (AnyClock.Instant) -> AnyClock.Instant?,
    @ViewBuilder content: @escaping (AnyClock.Instant) -> Content
  ) {
    self.next = next
    self.content = content
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    // Not by a node: there may be nothing to draw until then.
    let now = context.now
    let change = context.changes(at: context.reading { next(now) })
    if let change { context.owner.element?.declareByMaking(change) }
    return context.resolve(context.reading { content(now) })
  }
}
