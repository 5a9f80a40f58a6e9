/// Everything that can happen to a resource.
enum ResourceEvent: Sendable {
  /// A load is requested; its loader, if any, becomes the resource's loader when the load starts.
  case load(HeldLoader?, LoadPolicy, LoadActivity.Cause)
  case retry
  case cancel
  /// The loaded value has changed at its source.
  case invalidate(reloads: Bool)
  /// The last view has left: a load that only waits is given up, and a subscription pauses.
  case abandon
  /// A view appears after the last one had left.
  case show
  case reset(forgetsLoader: Bool = false)
  /// The value is removed and loaded again, as a part of the load that has brought it and was
  /// started at this time.
  case loadAgain(since: AnyClock.Instant?)
  case set(LoadingState<HeldValue>)
  case signal(LoadActivity.Ticket, LoadSignal)
  /// A load has yielded a value and continues.
  case value(LoadActivity.Ticket, HeldValue)
  /// A load has succeeded; the value is nil if it has yielded all of them.
  case finished(LoadActivity.Ticket, HeldValue?)
  case failed(LoadActivity.Ticket, any Error)

  /// The confirmed value changes under the pending mutations, for example by a page that was added.
  ///
  /// `needsReload` if it may contain changes that are being stored, and are shown over it.
  case update(Mutation<HeldValue>.Patch, needsReload: Bool)
  // Indirect, because it is much larger than the events of loads, which are more frequent.
  indirect case mutate(Mutation<HeldValue>)
  /// The time for which a mutation is held has ended; nil for all mutations.
  case release(PendingMutation.ID?)
  /// A mutation has the turn of its scope, see ``MutationTurns``.
  case turn(PendingMutation.ID)
  case undo(PendingMutation.ID)
  /// A mutation is in a journal.
  ///
  /// `needsReload` if the source may have another value than the one on the screen: it was in the
  /// journal before, so that an earlier attempt may have sent it, or a conflict has changed it.
  case kept(PendingMutation.ID, needsReload: Bool)
  case committed(PendingMutation.ID, Mutation<HeldValue>.Patch?)
  /// An attempt to commit a mutation has failed, and another follows.
  case commitAttemptFailed(PendingMutation.ID, any Error)
  case commitFailed(PendingMutation.ID, any Error)
  case retryMutation(PendingMutation.ID)
  case dismissMutation(PendingMutation.ID)

  /// Whether a mutation was stored.
  var stores: Bool {
    if case .committed = self { true } else { false }
  }

  /// Whether it rolls back a mutation that could not be stored.
  var rollsBack: Bool {
    if case .commitFailed = self { true } else { false }
  }
}

/// What the resource has to do after an event.
enum ResourceEffect {
  /// Apply `release` for the mutation at this time.
  case hold(PendingMutation.ID, until: AnyClock.Instant)
  /// Queue the mutation in a scope that other resources share.
  case enter(PendingMutation.ID, MutationKey)
  /// Remove the mutation from the queue of a shared scope.
  case leave(PendingMutation.ID, MutationKey)
  /// Run the commit of the mutation.
  case commit(PendingMutation.ID)
  /// Cancel the commit of the mutation, or the wait before it.
  case stopMutation(PendingMutation.ID)
  /// Answer those who wait for the mutation: it was stored, or else undone or superseded.
  case ended(PendingMutation.ID, isStored: Bool)
  /// Make those who wait for the mutation wait for a newer one, which includes it.
  case merged(PendingMutation.ID, into: PendingMutation.ID)
  /// Report that the mutation has failed; it is not among the failed ones if a newer one of its
  /// field is.
  case report(PendingMutation.ID, any Error)
}
