/// Ends the program in an orderly way.
@MainActor
public struct QuitAction {
  private let action: @MainActor () -> Void

  init(_ action: @escaping @MainActor () -> Void) { self.action = action }

  /// Ends the program.
  public func callAsFunction() { action() }
}

/// Asks the terminal to copy text to the clipboard.
@MainActor
public struct CopyAction {
  private let action: @MainActor (String) -> Void

  init(_ action: @escaping @MainActor (String) -> Void) { self.action = action }

  /// Copies `text`, if the terminal supports it.
  public func callAsFunction(_ text: String) { action(text) }
}

/// Rings the bell of the terminal.
@MainActor
public struct RingAction {
  private let action: @MainActor () -> Void

  init(_ action: @escaping @MainActor () -> Void) { self.action = action }

  /// Rings the bell once.
  public func callAsFunction() { action() }
}

/// Lends the terminal to another program that this one starts.
@MainActor
public struct LendTerminalAction {
  private let action: @MainActor (@MainActor () async -> Void) async -> Void

  init(_ action: @escaping @MainActor (@MainActor () async -> Void) async -> Void) {
    self.action = action
  }

  /// Releases the terminal, runs `use`, and takes the terminal back.
  ///
  /// `use` starts the other program and waits until it ends. Meanwhile nothing is drawn and keys go
  /// to the other program; everything else continues. A second call waits while the terminal is
  /// lent. If its task is cancelled before its turn, `use` does not run.
  public func callAsFunction(_ use: @MainActor () async -> Void) async { await action(use) }
}

/// Sets the title of the terminal's window.
@MainActor
public struct SetTitleAction {
  private let action: @MainActor (String) -> Void

  init(_ action: @escaping @MainActor (String) -> Void) { self.action = action }

  /// Sets the title, if the screen's options allow that; the previous title returns at the end.
  public func callAsFunction(_ title: String) { action(title) }
}

/// Asks the terminal to show a notification outside its window.
@MainActor
public struct NotifyAction {
  private let action: @MainActor (String, String, NotificationKind) -> Void

  init(_ action: @escaping @MainActor (String, String, NotificationKind) -> Void) {
    self.action = action
  }

  /// Shows `text` below `title`, with a kind of notification that the terminal supports.
  public func callAsFunction(_ text: String, title: String, by kind: NotificationKind) {
    action(text, title, kind)
  }
}

private enum TerminalActionsKey: EnvironmentKey {
  struct Actions {
    var quit: QuitAction?
    var setTitle: SetTitleAction?
    var notify: NotifyAction?
    var ringBell: RingAction?
    var lendTerminal: LendTerminalAction?
    var copyText: CopyAction?
  }

  static var defaultValue: Actions { Actions() }
}

extension EnvironmentValues {
  /// Ends the program; nil without a ``TerminalApp``.
  public internal(set) var quit: QuitAction? {
    get { self[TerminalActionsKey.self].quit }
    set { self[TerminalActionsKey.self].quit = newValue }
  }

  /// Sets the title of the terminal's window; nil without a ``TerminalApp``.
  public internal(set) var setTitle: SetTitleAction? {
    get { self[TerminalActionsKey.self].setTitle }
    set { self[TerminalActionsKey.self].setTitle = newValue }
  }

  /// Asks the terminal to show a notification outside its window; nil without a ``TerminalApp``.
  public internal(set) var notify: NotifyAction? {
    get { self[TerminalActionsKey.self].notify }
    set { self[TerminalActionsKey.self].notify = newValue }
  }

  /// Rings the bell of the terminal; nil without a ``TerminalApp``.
  public internal(set) var ringBell: RingAction? {
    get { self[TerminalActionsKey.self].ringBell }
    set { self[TerminalActionsKey.self].ringBell = newValue }
  }

  /// Lends the terminal to another program; nil without a ``TerminalApp``.
  public internal(set) var lendTerminal: LendTerminalAction? {
    get { self[TerminalActionsKey.self].lendTerminal }
    set { self[TerminalActionsKey.self].lendTerminal = newValue }
  }

  /// Copies text to the clipboard of the terminal; nil without a ``TerminalApp``.
  public internal(set) var copyText: CopyAction? {
    get { self[TerminalActionsKey.self].copyText }
    set { self[TerminalActionsKey.self].copyText = newValue }
  }
}
