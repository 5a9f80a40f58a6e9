/// Everything that can happen to a resource.
enum ResourceEvent<Value: Sendable>: Sendable {
  /// A load is asked for; with a loader, it becomes the resource's when its load starts.
  case load(Loader<Value>?, LoadPolicy, LoadCause)
  case retry
  case cancel
  /// Nobody looks any more: a load that only waits for its turn is not worth its place.
  case abandon
  case reset
  case set(LoadingState<Value>)
  case signal(LoadTicket, LoadSignal<Value>)
  /// A load ended well; without a value when it yielded all of them.
  case finished(LoadTicket, Value?)
  case failed(LoadTicket, any Error)
}

/// What the owner of the state has to do after an event.
enum ResourceEffect: Equatable {
  /// Run the loader under this ticket.
  case start(LoadTicket)
  /// Cancel the work of this ticket.
  case stop(LoadTicket)
}
