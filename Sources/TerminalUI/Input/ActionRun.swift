import Loading

/// Does what the keys of some actions would do, one after another.
///
/// Each is done once the one before has taken effect: in a frame of its own, and not while `isBusy`
/// holds. An action that cannot be done within ``patience`` ends it, as does any key that is pressed.
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
  /// How long it is waited for an action that cannot be done yet.
  public static let patience = Duration.seconds(2)

  private let start: @MainActor (ActionRun) -> Void

  init(_ start: @escaping @MainActor (ActionRun) -> Void) { self.start = start }

  /// Does `actions` in their order.
  ///
  /// - Parameters:
  ///   - isBusy: whether what an action has begun is still going on.
  ///   - stopped: told of the first action that could not be done; those after it are not done either.
  public func callAsFunction(
    _ actions: [KeyAction], while isBusy: @escaping @MainActor () -> Bool = { false },
    stopped: @escaping @MainActor (KeyAction) -> Void
  ) {
    start(ActionRun(actions: actions[...], isBusy: isBusy, stopped: stopped))
  }
}

/// Actions that are being done one after another.
@MainActor
struct ActionRun {
  var actions: ArraySlice<KeyAction>
  let isBusy: @MainActor () -> Bool
  let stopped: @MainActor (KeyAction) -> Void
  /// When the next of them is given up; nil while it has not been waited for.
  var end: AnyClock.Instant?
}

extension ViewHost {
  /// Has views perform actions, which whoever draws the frames does one by one.
  package func takeRuns() {
    environment.perform = PerformAction { [weak self] in self?.run = $0 }
  }

  /// Does the next action of the run; `false` where that has to wait, or nothing is left.
  package func performNext(in frame: Frame, at now: AnyClock.Instant) -> Bool {
    guard let run, let action = run.actions.first else {
      run = nil
      return false
    }
    // Gone before it is done: what it does may begin another run.
    self.run = nil
    if !run.isBusy() {
      focuses = frame.focuses
      focusWish = nil
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
  /// Does what the keys of some actions would do; nothing in a still picture, which has none.
  public internal(set) var perform: PerformAction? {
    get { self[PerformKey.self] }
    set { self[PerformKey.self] = newValue }
  }
}
