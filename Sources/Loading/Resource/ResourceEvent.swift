/// Everything that can happen to a resource.
enum ResourceEvent: Sendable {
  /// A load is requested; a loader given with it becomes the resource's when that load starts.
  case load(HeldLoader?, LoadPolicy, LoadActivity.Cause)
  case retry
  case cancel
  /// What was loaded has changed.
  case invalidate(reloads: Bool)
  /// No view shows it any more: a load that only waits is given up, and a subscription pauses.
  case abandon
  /// A view shows it again.
  case show
  case reset(forgetsLoader: Bool = false)
  case set(LoadingState<HeldValue>)
  case signal(LoadActivity.Ticket, LoadSignal)
  /// A value came and the load goes on.
  case value(LoadActivity.Ticket, HeldValue)
  /// A load ended well; without a value when it yielded all of them.
  case finished(LoadActivity.Ticket, HeldValue?)
  case failed(LoadActivity.Ticket, any Error)

  /// The confirmed value has grown, under whatever is pending over it.
  case update(Mutation<HeldValue>.Patch)
  // Indirect, because it is much larger than the others, of which every load sends some.
  indirect case mutate(Mutation<HeldValue>)
  /// The time in which it may be undone is over; for all of them without an id.
  case release(PendingMutation.ID?)
  /// No other resource commits a change of its scope any more.
  case turn(PendingMutation.ID)
  case undo(PendingMutation.ID)
  /// It is in a journal; repeated where it was before, so that it may have arrived in an earlier attempt.
  case kept(PendingMutation.ID, isRepeated: Bool)
  case committed(PendingMutation.ID, Mutation<HeldValue>.Patch?)
  case commitFailed(PendingMutation.ID, any Error)
  case retryMutation(PendingMutation.ID)
  case dismissMutation(PendingMutation.ID)

  /// Whether it takes back a mutation that could not be stored.
  var rollsBack: Bool {
    if case .commitFailed = self { true } else { false }
  }
}

/// What the owner of the state has to do after an event.
enum ResourceEffect: Equatable {
  /// Run the loader under this ticket.
  case start(LoadActivity.Ticket)
  /// Cancel the work of this ticket.
  case stop(LoadActivity.Ticket)
  /// Release the mutation when its time to be undone is over.
  case hold(PendingMutation.ID, until: AnyClock.Instant)
  /// Ask for the turn of the mutation in a scope that other resources share.
  case enter(PendingMutation.ID, MutationKey)
  /// Give the turn, or the place in the queue, back.
  case leave(PendingMutation.ID, MutationKey)
  /// Run the commit of the mutation.
  case commit(PendingMutation.ID)
  /// Cancel what runs or waits for the mutation.
  case stopMutation(PendingMutation.ID)
  /// The mutation was stored, or else taken back.
  case ended(PendingMutation.ID, isStored: Bool)
  /// A newer mutation carries this one on.
  case merged(PendingMutation.ID, into: PendingMutation.ID)
  /// Report once that the mutation has failed.
  case report(PendingMutation.ID)
}
