extension Loader {
  /// Returns a loader that uses the values of `cache` and stores what it loads there.
  ///
  /// A fresh value ends the load at once. A stale one is shown while a new one is loaded. Only
  /// loads with the cause ``LoadActivity/Cause/appeared`` or ``LoadActivity/Cause/inputChanged``
  /// use the cache in this way; loads and retries by the user, refreshes and reloads after a
  /// mutation always load. While a load of a key runs, other loads of that key wait for it, in the
  /// phase ``LoadActivity/Phase/waiting`` and without a permit of a ``LoadLimit``, and share its
  /// value or failure. The shared value is shown at once; the load ends when it has its permit
  /// again.
  ///
  /// The age of a value in the cache counts from the start of its load. For a resource that finds
  /// the value there, ``Resource/loadedAt`` is that time, too; for those that ran or shared the
  /// load, it is the time of the answer. Values in the cache's ``LoadStore`` are used like those in
  /// memory. Writing to the store does not make the load longer. When a resource with this loader,
  /// or with one that is made of it, commits a mutation, its key is invalidated: after that no
  /// resource gets a value that was loaded before the commit had ended, and loads that still run
  /// then run again. A resource that has loaded the value during the commit keeps it: give both
  /// loaders a tag, and let the mutation invalidate that, see ``Mutation/invalidating(_:)``.
  ///
  /// Progress, attempts and cancellation are passed on; a fresh value has no progress and makes no
  /// attempt. A cancelled load stores nothing.
  public func cached<Key>(in cache: LoadCache<Key, Value>, key: Key) -> Loader {
    let tags = traits.tags
    let invalidation = Invalidation(
      id: [MutationKey(ObjectIdentifier(cache)), MutationKey(key)],
      forget: { cache.forget(key) }, countCommits: { cache.countCommits($0, of: key) },
      write: { await cache.saved() })
    return Loader(traits.invalidating(by: invalidation)) { context, output in
      let tags = tags.union(context.tags)
      if !tags.isEmpty { context.origin.scheduler.invalidations.add(cache) }
      if context.cause == .appeared || context.cause == .inputChanged,
        let hit = await cache.hit(for: key, tags: tags, on: context.clock)
      {
        context.send(.foundInCache(of: hit.storedAt))
        if hit.isFresh { return hit.value }
        output.yield(hit.value)
      }
      while true {
        try Task.checkCancellation()
        switch cache.begin(key, tags: tags, at: context.clock.now) {
        case .runs(let run):
          if let result = try await self.result(of: run, key, in: cache, context, output) {
            return try result.get()
          }
          // It was live, or waited for something, and so may have no permit. One that it still has
          // goes to the load that has waited longest.
          try await context.rest()()
          context.send(.phase(.running))
        case .waits(let shared):
          context.send(.phase(.waiting))
          let goOn = context.rest()
          let answer = try await shared.value()
          // It is shown while this load waits for a permit.
          if case .success(let value) = answer { output.yield(value) }
          // Also with an answer, since the load may go on, as by `flatMap`.
          try await goOn()
          context.send(.phase(.running))
          if let answer { return try answer.get() }
        }
      }
    }
  }

  /// Runs one load for a cache; returns nil if its key was invalidated meanwhile.
  private func result<Key>(
    of run: CachedRun<Value>, _ key: Key, in cache: LoadCache<Key, Value>,
    _ context: LoadContext, _ output: LoadContext.Output<Value>
  ) async throws -> Result<Value?, any Error>? {
    // A yielded value may be only a part of the whole, so values are stored only when the load
    // ends, or when a subscription is live.
    let latest = Lock<(value: Value, isFirst: Bool)?>(nil)
    let door = Door()
    let note: @Sendable (LoadSignal) -> Void = { signal in
      guard case .phase(.live) = signal else { return }
      if let (value, isFirst) = latest.withLock({ $0 }) {
        let moment = isFirst ? run.startedAt : context.clock.now
        cache.store(
          value, for: key, of: run, at: moment, on: context.clock,
          unless: context.origin.scheduler.invalidations.isCommitting)
        if cache.isKept { _ = context.origin.scheduler.task { await cache.saved() } }
      }
      // Loads that wait for this one do not get the later values, so they load by themselves.
      cache.answer(key, run, nil)
    }
    let part = door.guarding(context, noting: note)
    let values = LoadContext.Output<Value> { value in
      door.pass {
        latest.withLock { $0 = (value, $0 == nil) }
        output.yield(value)
      }
    }
    // A separate task, which is cancelled when the key is invalidated.
    let work = OwnedTask(
      context.origin.scheduler.task {
        do {
          run.outcome.fulfil(.success(try await self.run(part, values)))
        } catch {
          run.outcome.fulfil(.failure(error))
        }
      })
    defer {
      door.close()
      cache.end(key, run)
    }
    let outcome = try await withTaskCancellationHandler {
      try await run.outcome.value()
    } onCancel: {
      cache.end(key, run)
    }
    return try withExtendedLifetime(work) {
      try Task.checkCancellation()
      guard let outcome else { return nil }
      switch outcome {
      case .success(let value?):
        let isStored = cache.store(
          value, for: key, of: run, at: run.startedAt, on: context.clock,
          unless: context.origin.scheduler.invalidations.isCommitting)
        guard isStored else { return nil }
        cache.answer(key, run, .success(value))
        if cache.isKept { _ = context.origin.scheduler.task { await cache.saved() } }
      case .success(nil):
        // The waiting loads have missed the yielded values.
        cache.answer(key, run, nil)
      case .failure(let error):
        cache.answer(key, run, .failure(error))
      }
      return outcome
    }
  }
}
