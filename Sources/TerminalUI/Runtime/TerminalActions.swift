/// Ends the program in good order.
@MainActor
public struct QuitAction {
  private let action: @MainActor () -> Void

  init(_ action: @escaping @MainActor () -> Void) { self.action = action }

  /// Ends the program.
  public func callAsFunction() { action() }
}

/// Asks the terminal to put text on the clipboard.
@MainActor
public struct CopyAction {
  private let action: @MainActor (String) -> Void

  init(_ action: @escaping @MainActor (String) -> Void) { self.action = action }

  /// Copies `text`, as far as the terminal does.
  public func callAsFunction(_ text: String) { action(text) }
}

/// Rings the bell of the terminal.
@MainActor
public struct RingAction {
  private let action: @MainActor () -> Void

  init(_ action: @escaping @MainActor () -> Void) { self.action = action }

  /// Rings it once.
  public func callAsFunction() { action() }
}

/// Lends the terminal to a program that is started from here.
@MainActor
public struct LendTerminalAction {
  private let action: @MainActor (@MainActor () async -> Void) async -> Void

  init(_ action: @escaping @MainActor (@MainActor () async -> Void) async -> Void) {
    self.action = action
  }

  /// Gives the terminal back, and takes it again when `use` returns.
  ///
  /// `use` starts the other program and waits for its end. Meanwhile nothing is drawn, and keys are for
  /// the other program; everything else goes on. Who asks for the terminal while it is lent waits.
  public func callAsFunction(_ use: @MainActor () async -> Void) async { await action(use) }
}

/// Sets the title of the terminal's window.
@MainActor
public struct SetTitleAction {
  private let action: @MainActor (String) -> Void

  init(_ action: @escaping @MainActor (String) -> Void) { self.action = action }

  /// Sets it to `title`, where the screen's options allow that; the one before comes back at the end.
  public func callAsFunction(_ title: String) { action(title) }
}

/// Has the terminal show a message outside of its window.
@MainActor
public struct NotifyAction {
  private let action: @MainActor (String, String, NotificationKind) -> Void

  init(_ action: @escaping @MainActor (String, String, NotificationKind) -> Void) {
    self.action = action
  }

  /// Shows `text` below `title`, in the way that the terminal is known to have.
  public func callAsFunction(_ text: String, title: String, by kind: NotificationKind) {
    action(text, title, kind)
  }
}

private enum SetTitleKey: EnvironmentKey {
  static var defaultValue: SetTitleAction? { nil }
}

private enum NotifyKey: EnvironmentKey {
  static var defaultValue: NotifyAction? { nil }
}

private enum LendTerminalKey: EnvironmentKey {
  static var defaultValue: LendTerminalAction? { nil }
}

private enum RingKey: EnvironmentKey {
  static var defaultValue: RingAction? { nil }
}

private enum CopyKey: EnvironmentKey {
  static var defaultValue: CopyAction? { nil }
}

private enum QuitKey: EnvironmentKey {
  static var defaultValue: QuitAction? { nil }
}

extension EnvironmentValues {
  /// Ends the program; nothing in a still picture, which has none.
  public internal(set) var quit: QuitAction? {
    get { self[QuitKey.self] }
    set { self[QuitKey.self] = newValue }
  }

  /// Sets the title of the terminal's window; nothing in a still picture, which has none.
  public internal(set) var setTitle: SetTitleAction? {
    get { self[SetTitleKey.self] }
    set { self[SetTitleKey.self] = newValue }
  }

  /// Has the terminal show a message outside of its window; nothing in a still picture.
  public internal(set) var notify: NotifyAction? {
    get { self[NotifyKey.self] }
    set { self[NotifyKey.self] = newValue }
  }

  /// Rings the bell of the terminal; nothing in a still picture, which has none.
  public internal(set) var ringBell: RingAction? {
    get { self[RingKey.self] }
    set { self[RingKey.self] = newValue }
  }

  /// Lends the terminal to another program; nothing in a still picture, which has none.
  public internal(set) var lendTerminal: LendTerminalAction? {
    get { self[LendTerminalKey.self] }
    set { self[LendTerminalKey.self] = newValue }
  }

  /// Puts text on the clipboard of the terminal; nothing in a still picture, which has none.
  public internal(set) var copyText: CopyAction? {
    get { self[CopyKey.self] }
    set { self[CopyKey.self] = newValue }
  }
}
