/// Everything that can happen to a resource.
enum ResourceEvent: Sendable {
  /// A load is requested; a loader given with it becomes the resource's when that load starts.
  case load(HeldLoader?, LoadPolicy, LoadCause)
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
  case signal(LoadTicket, LoadSignal)
  /// A value came and the load goes on.
  case value(LoadTicket, HeldValue)
  /// A load ended well; without a value when it yielded all of them.
  case finished(LoadTicket, HeldValue?)
  case failed(LoadTicket, any Error)

  /// The confirmed value has grown, under whatever is pending over it.
  case update(Mutation<HeldValue>.Patch)
  case mutate(Mutation<HeldValue>)
  /// The time in which it may be undone is over; for all of them without an id.
  case release(MutationID?)
  /// No other resource commits a change of its scope any more.
  case turn(MutationID)
  case undo(MutationID)
  /// It is in a journal; repeated where it was before, so that it may have arrived in an earlier attempt.
  case kept(MutationID, isRepeated: Bool)
  case committed(MutationID, Mutation<HeldValue>.Patch?)
  case commitFailed(MutationID, any Error)
  case retryMutation(MutationID)
  case dismissMutation(MutationID)

  /// Whether it takes back a mutation that could not be stored.
  var rollsBack: Bool {
    if case .commitFailed = self { true } else { false }
  }
}

/// What the owner of the state has to do after an event.
enum ResourceEffect: Equatable {
  /// Run the loader under this ticket.
  case start(LoadTicket)
  /// Cancel the work of this ticket.
  case stop(LoadTicket)
  /// Release the mutation when its time to be undone is over.
  case hold(MutationID, until: AnyClock.Instant)
  /// Ask for the turn of the mutation in a scope that other resources share.
  case enter(MutationID, MutationKey)
  /// Give the turn, or the place in the queue, back.
  case leave(MutationID, MutationKey)
  /// Run the commit of the mutation.
  case commit(MutationID)
  /// Cancel what runs or waits for the mutation.
  case stopMutation(MutationID)
  /// The mutation was stored, or else taken back.
  case ended(MutationID, isStored: Bool)
  /// A newer mutation carries this one on.
  case merged(MutationID, into: MutationID)
  /// Report once that the mutation has failed.
  case report(MutationID)
}
