import Loading

/// A line of a script: a state and its time since the start of the load.
public struct ScriptedState<Value: Sendable>: Sendable {
  let time: Duration
  let state: LoadingState<Value>

  /// Returns a line with `state` at `time` after the start of the load.
  public static func at(_ time: Duration, _ state: LoadingState<Value>) -> ScriptedState {
    ScriptedState(time: time, state: state)
  }
}

extension Loader {
  /// Returns a loader that plays a list of states at their times.
  ///
  /// A line with `loading` reports its progress. One with `loaded` yields its value, or ends the
  /// load if it is the last line. One with `failed` ends the load, and `idle` does nothing. If the
  /// last line does not end the load, it never ends by itself.
  ///
  /// ```swift
  /// let loader = Loader.scripted([
  ///   .at(.milliseconds(300), .loading(LoadingProgress(fraction: 0.5))),
  ///   .at(.milliseconds(900), .loaded("Hello")),
  /// ])
  /// ```
  public static func scripted(_ script: [ScriptedState<Value>]) -> Loader {
    scripted(inTurn: [script])
  }

  /// Returns a loader that plays another script in each load or attempt; all loads after the last
  /// script play that one.
  public static func scripted(inTurn scripts: [[ScriptedState<Value>]]) -> Loader {
    let turn = Turn()
    return Loader { context, output in
      guard !scripts.isEmpty else { return try await never(context) }
      let script = scripts[min(turn.next(), scripts.count - 1)]
      let start = context.clock.now
      for (index, line) in script.enumerated() {
        let due = start.advanced(by: line.time)
        if due > context.clock.now { try await context.clock.sleep(until: due) }
        switch line.state {
        case .idle: break
        case .loading(let progress): context.report(progress ?? LoadingProgress(message: ""))
        case .failed(let error): throw error
        case .loaded(let value):
          if index == script.count - 1 { return value }
          output.yield(value)
        }
      }
      return try await never(context)
    }
  }

  private static func never(_ context: LoadContext) async throws -> Value {
    while true {
      try await context.clock.sleep(until: context.clock.now.advanced(by: .seconds(1 << 32)))
    }
  }
}

private final class Turn: Sendable {
  private let count = Lock(0)

  func next() -> Int {
    count.withLock { count in
      defer { count += 1 }
      return count
    }
  }
}
