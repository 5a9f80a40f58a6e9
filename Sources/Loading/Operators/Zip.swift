extension Loader {
  /// Returns one loader that runs several in parallel: it has a value once every part has one, and
  /// another value whenever a part yields a newer one.
  ///
  /// The progress is the mean of the parts' progress. The attempt is that of the part that began an
  /// attempt last. Cancelling the load cancels every part. If a part fails, the others are
  /// cancelled and the load fails; to show the parts that were loaded all the same, combine
  /// resources in a ``PartialResource``.
  ///
  /// ```swift
  /// let profile = Loader.zip(user, posts)  // Loader<(User, [Post])>
  /// ```
  public static func zip<each Part: Sendable>(
    _ part: repeat Loader<each Part>
  ) -> Loader where Value == (repeat each Part) {
    Loader(of: repeat each part) { context, output in
      let slots = (repeat ZipSlot<each Part>())
      let collect: @Sendable () -> Value? = { try? (repeat (each slots).value()) }
      var count = 0
      for _ in repeat each part { count += 1 }
      let run = ZipRun(context: context, output: output, collect: collect, count: count)
      var parts: [@Sendable () async throws -> Void] = []
      for (part, slot) in repeat (each part, each slots) {
        let number = parts.count
        parts.append { try await run.part(number, part, slot) }
      }
      try await inParallel(parts)
      return collect()
    }
  }

  /// Returns one loader that runs any number of loaders of one type in parallel, like ``zip(_:)``.
  ///
  /// Without any loaders, its value is an empty array.
  ///
  /// ```swift
  /// let lists = Loader.all(feeds.map { feed in Loader { _ in try await api.articles(of: feed) } })
  /// ```
  public static func all<Part: Sendable>(_ parts: [Loader<Part>]) -> Loader where Value == [Part] {
    var traits = LoaderTraits()
    for part in parts { traits.add(part.traits) }
    return Loader(traits) { context, output in
      let slots = parts.map { _ in ZipSlot<Part>() }
      let collect: @Sendable () -> Value? = { try? slots.map { try $0.value() } }
      let run = ZipRun(
        context: context, output: output, collect: collect, count: parts.count)
      try await inParallel(
        parts.indices.map { number in
          { try await run.part(number, parts[number], slots[number]) }
        })
      return collect()
    }
  }
}

private func inParallel(_ parts: [@Sendable () async throws -> Void]) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for part in parts { group.addTask(operation: part) }
    // Not `waitForAll`, which throws the error of a part only after the other parts have ended.
    while try await group.next() != nil {}
  }
}

/// One load of a zipped loader.
private final class ZipRun<Whole: Sendable>: Sendable {
  private let context: LoadContext
  private let output: LoadContext.Output<Whole>
  private let collect: @Sendable () -> Whole?
  /// Signals of the parts are passed on under this lock, so that they are sent in the order in
  /// which they are combined.
  private let board: Lock<ZipBoard>

  init(
    context: LoadContext, output: LoadContext.Output<Whole>,
    collect: @escaping @Sendable () -> Whole?,
    count: Int
  ) {
    self.context = context
    self.output = output
    self.collect = collect
    board = Lock(ZipBoard(count: count))
  }

  func part<Part>(_ number: Int, _ loader: Loader<Part>, _ slot: ZipSlot<Part>) async throws {
    // A part that waits does not give the permits back: other parts may be working with them.
    let last = try await loader.run(
      context.derived(rest: { {} }) { signal in
        self.board.withLock { $0.receive(signal, from: number).forEach(self.context.send) }
      },
      LoadContext.Output { value in
        self.board.withLock { _ in
          slot.store(value)
          if let all = self.collect() { self.output.yield(all) }
        }
      })
    board.withLock { board in
      let signals = board.finish(number)
      if let last {
        slot.store(last)
        // The value of the last part to end is returned; until then, another part may be live.
        if !signals.isEmpty, let all = self.collect() { self.output.yield(all) }
      }
      signals.forEach(context.send)
    }
  }
}

/// The latest value of one part.
private final class ZipSlot<Value: Sendable>: Sendable {
  private struct NoValue: Error {}
  private let latest = Lock<Value?>(nil)

  func store(_ value: Value) {
    latest.withLock { $0 = value }
  }

  func value() throws -> Value {
    guard let value = latest.withLock({ $0 }) else { throw NoValue() }
    return value
  }
}

/// The signals of the parts, combined.
private struct ZipBoard {
  private struct Part {
    var progress: LoadingProgress?
    var phase = LoadActivity.Phase.running
    var isFinished = false
  }

  private var parts: [Part]

  init(count: Int) {
    parts = Array(repeating: Part(), count: count)
  }

  mutating func receive(_ signal: LoadSignal, from number: Int) -> [LoadSignal] {
    switch signal {
    case .progress(let next):
      let progress = (parts[number].progress?.advanced(to: next) ?? next).shown
      parts[number].progress = progress
      let message = next.message == "" ? remainingMessage : progress.message
      return [.progress(combinedProgress(message: message))]
    case .phase(let phase):
      parts[number].phase = phase
      return [.phase(combinedPhase)]
    case .attempt(let attempt, let limit):
      parts[number].phase = .running
      parts[number].progress = nil
      return [.attempt(attempt, limit: limit), .phase(combinedPhase)] + restOfProgress
    case .attemptFailed(let error, let nextAt):
      parts[number].phase = .backoff
      parts[number].progress = nil
      return [.attemptFailed(error, nextAt: nextAt), .phase(combinedPhase)] + restOfProgress
    case .foundInCache: return [signal]
    }
  }

  mutating func finish(_ number: Int) -> [LoadSignal] {
    parts[number].isFinished = true
    guard parts.contains(where: { !$0.isFinished }) else { return [] }
    // The message of a finished part is out of date.
    let message = parts[number].progress?.message == nil ? nil : remainingMessage
    return [.progress(combinedProgress(message: message)), .phase(combinedPhase)]
  }

  /// The message of a part that goes on; empty if none has one, so that the last one is removed.
  private var remainingMessage: String {
    parts.lazy.filter { !$0.isFinished }.compactMap { $0.progress?.message }.last ?? ""
  }

  /// The progress after an attempt has begun or failed, which removes that of all parts.
  private var restOfProgress: [LoadSignal] {
    let progress = combinedProgress(message: remainingMessage).shown
    return progress == LoadingProgress() ? [] : [.progress(progress)]
  }

  private func combinedProgress(message: String?) -> LoadingProgress {
    let fractions = parts.map { $0.isFinished ? 1 : $0.progress?.fraction }
    let isKnown = fractions.contains { $0 != nil }
    let sum = fractions.reduce(0) { $0 + ($1 ?? 0) }
    return LoadingProgress(
      message: message, fraction: isKnown ? sum / Double(parts.count) : nil)
  }

  /// The phase of the unfinished parts, if all of them have the same one.
  private var combinedPhase: LoadActivity.Phase {
    let phases = parts.lazy.filter { !$0.isFinished }.map(\.phase)
    guard let first = phases.first, phases.allSatisfy({ $0 == first }) else { return .running }
    return first
  }
}
