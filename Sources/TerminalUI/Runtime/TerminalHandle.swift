import Loading

/// What a view can ask of the program's terminal.
///
/// ```swift
/// struct Ending: View {
///   @Environment(\.terminal) private var terminal
///
///   var body: some View {
///     Button("Quit") { terminal?.quit() }
///   }
/// }
/// ```
///
/// After the program has ended, nothing happens to the terminal.
@MainActor
public final class TerminalHandle {
  private weak let app: TerminalApp?
  // Lent to one program at a time: two would take each other's keys, and the first to end would
  // take the terminal away from the other.
  private let turns = LoadLimit(1)

  init(_ app: TerminalApp) { self.app = app }

  /// Ends the program in an orderly way.
  public func quit() { app?.end(.quit) }

  /// Copies `text` to the clipboard, if the terminal supports it.
  ///
  /// - Returns: whether the text was sent to the terminal; one that is longer than 8 KB is not.
  @discardableResult
  public func copy(_ text: String) -> Bool { app?.screen.copy(text) ?? false }

  /// Rings the bell once.
  public func ringBell() { app?.screen.ring() }

  /// Sets the title of the window, if the screen's options allow that; the previous title returns
  /// at the end.
  public func setTitle(_ title: String) { app?.screen.setTitle(title) }

  /// Shows `text` below `title` outside the window, with a kind of notification that the terminal
  /// supports.
  public func notify(_ text: String, title: String, by kind: NotificationKind) {
    app?.screen.notify(text, title: title, by: kind)
  }

  /// Releases the terminal, runs `use`, and takes the terminal back.
  ///
  /// `use` starts the other program and waits until it ends. Meanwhile nothing is drawn and keys go
  /// to the other program; everything else continues. A second call waits while the terminal is
  /// lent.
  ///
  /// - Returns: what `use` returned; nil if its task was cancelled before its turn: `use` does not
  ///   run then.
  public func lend<Outcome: Sendable>(to use: @MainActor () async -> Outcome) async -> Outcome? {
    try? await turns.withPermit { @MainActor in
      app?.screen.lend()
      let outcome = await use()
      app?.screen.takeBack()
      app?.focus.open()
      return outcome
    }
  }
}

private enum TerminalHandleKey: EnvironmentKey {
  static var defaultValue: TerminalHandle? { nil }
}

extension EnvironmentValues {
  /// The terminal of the program; nil without a ``TerminalApp``.
  public internal(set) var terminal: TerminalHandle? {
    get { self[TerminalHandleKey.self] }
    set { self[TerminalHandleKey.self] = newValue }
  }
}
