import Loading

/// Performs actions one after another, as if their keys were pressed.
///
/// Each action is performed after the previous one has taken effect: in a frame of its own, and not
/// while `isBusy` returns `true`. The run ends when an action cannot be performed within
/// ``patience``, because it is not available or `isBusy` stays `true`, and when the user presses a
/// key.
///
/// ```swift
/// struct TidyButton: View {
///   @Environment(\.perform) private var perform
///   var body: some View {
///     Button("Tidy") { perform?([.first, .reload]) { print("\($0.label) cannot be done here") } }
///   }
/// }
/// ```
@MainActor
public struct PerformAction {
  /// How long to wait for an action that cannot be performed yet.
  public static let patience = Duration.seconds(2)

  private let start: @MainActor (ActionRun) -> Void

  init(_ start: @escaping @MainActor (ActionRun) -> Void) { self.start = start }

  /// Performs `actions` in order.
  ///
  /// - Parameters:
  ///   - actions: what the keys would do.
  ///   - isBusy: whether the work that an action has started is still in progress.
  ///   - stopped: called with the first action that could not be performed; the actions after it
  ///     are not performed either.
  public func callAsFunction(
    _ actions: [KeyAction], while isBusy: @escaping @MainActor () -> Bool = { false },
    stopped: @escaping @MainActor (KeyAction) -> Void
  ) {
    start(ActionRun(actions: actions[...], isBusy: isBusy, stopped: stopped))
  }
}

/// A run of actions that are performed one after another.
@MainActor
struct ActionRun {
  var actions: ArraySlice<KeyAction>
  let isBusy: @MainActor () -> Bool
  let stopped: @MainActor (KeyAction) -> Void
  /// When the run gives up on its next action; nil until it has first been tried.
  var end: AnyClock.Instant?
}

extension ViewHost {
  /// Enables ``EnvironmentValues/perform``; the caller then performs the actions with
  /// `performNext`.
  package func takeRuns() {
    environment.perform = PerformAction { [builder] in builder.host?.run = $0 }
  }

  /// Performs the next action of the run; returns `false` if it has to wait or none is left.
  package func performNext(in frame: Frame, at now: AnyClock.Instant) -> Bool {
    guard let run, let action = run.actions.first else {
      run = nil
      return false
    }
    // Removed before it is performed, because the action may start another run.
    self.run = nil
    if !run.isBusy() {
      beginInput(in: frame)
      if frame.perform(action) {
        guard run.actions.count > 1, self.run == nil else { return true }
        self.run = ActionRun(
          actions: run.actions.dropFirst(), isBusy: run.isBusy, stopped: run.stopped)
        return true
      }
    }
    let end = run.end ?? now.advanced(by: PerformAction.patience)
    guard now < end else {
      run.stopped(action)
      return false
    }
    self.run = run
    self.run?.end = end
    return false
  }
}

private enum PerformKey: EnvironmentKey {
  static var defaultValue: PerformAction? { nil }
}

extension EnvironmentValues {
  /// Performs actions as if their keys were pressed; nil without a ``TerminalApp`` or a `Stage`.
  public internal(set) var perform: PerformAction? {
    get { self[PerformKey.self] }
    set { self[PerformKey.self] = newValue }
  }
}
