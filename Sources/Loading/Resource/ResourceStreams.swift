/// What the streams of a resource are sent, made with the first of them.
///
/// A class of its own, so that a change of a resource without streams looks up none of their types.
@MainActor
final class ResourceStreams<Value: Sendable> {
  let states = StateBroadcast<LoadingState<Value>>()
  let updates = StateBroadcast<Resource<Value>.Snapshot>()
  /// Whether a rollback has still to be sent.
  private(set) var owesState = false

  /// Sends the state, and what is beside it.
  @inline(never)
  func publish(_ resource: Resource<Value>) {
    owesState = false
    states.send(resource.projection)
    publishUpdate(resource)
  }

  /// Sends what is beside a state that has not changed.
  @inline(never)
  func publishUpdate(_ resource: Resource<Value>) {
    updates.send(resource.snapshot { $0 })
  }

  /// Publishes after the work that the main actor has queued already.
  ///
  /// When mutations fail together, each rollback would replay all that are left, for a state that is
  /// never drawn.
  @inline(never)
  func publishSoon(_ resource: Resource<Value>) {
    guard !owesState else { return }
    owesState = true
    resource.scheduler.deliver { if self.owesState { self.publish(resource) } }
  }
}
