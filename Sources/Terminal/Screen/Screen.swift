/// Where frames are shown and input comes from: a terminal, or memory.
///
/// Nobody else talks to the terminal, and nobody writes to standard output or error while a screen
/// is open.
@MainActor
public protocol Screen: AnyObject {
  /// How many columns and rows there are now.
  var size: Size { get }
  /// Everything that comes in, in order. One consumer.
  var events: AsyncStream<InputEvent> { get }
  /// Has `receive` called with what comes in, all that came at once together, in place of
  /// ``events``; `false` where only those tell of it.
  func deliverEvents(to receive: @escaping @MainActor ([InputEvent]) -> Void) -> Bool
  /// Whether the presented frame has been written: while it has not (Ctrl-S, a slow line), a newer frame
  /// waits for ``InputEvent/drained`` instead of joining a queue.
  var isReady: Bool { get }
  /// Shows a buffer of the screen's size; `cursor` is where the terminal's cursor stands, hidden
  /// where there is none. Never blocks.
  ///
  /// - Parameter damage: where it may differ from what was presented last; nil for anywhere.
  func present(_ buffer: CellBuffer, cursor: Point?, damage: Damage?)
  /// Asks the terminal to put text, cleaned of what cannot be seen, on the clipboard.
  ///
  /// Nobody knows whether it does. Text that is empty, or longer than 8 KB, is not sent.
  func copy(_ text: String)
  /// Asks the terminal what colour its background has, which may come as
  /// ``InputEvent/background(_:)``: soon, late or never.
  func askForBackground()
  /// Rings the bell of the terminal, or flashes, as it is set up.
  func ring()
  /// Sets the title of the terminal's window, where the options of the screen say that it may be.
  func setTitle(_ title: String)
  /// Asks the terminal to show a message outside of its window; nobody knows whether it does.
  func notify(_ text: String, title: String, by kind: NotificationKind)
  /// Has the next frame drawn whole, and asks for one by ``InputEvent/resize(_:)``: for when something
  /// else has written on the terminal.
  func redraw()
  /// Gives the terminal back, stops the process until it is continued, and takes it again. The
  /// next frame is drawn whole.
  func suspend()
  /// Gives the terminal to a program that was started from here, until ``takeBack()``: meanwhile
  /// nothing is read, and what is presented is not shown.
  ///
  /// That program is in the process group of this one: keys that end or stop a program are about it.
  func lend()
  /// Takes the terminal again after ``lend()``. The next frame is drawn whole.
  func takeBack()
  /// Gives the terminal back as it was. A second call does nothing.
  func close()
}

extension Screen {
  /// Shows a buffer that may differ anywhere from what was presented last.
  public func present(_ buffer: CellBuffer, cursor: Point?) {
    present(buffer, cursor: cursor, damage: nil)
  }

  /// A screen without a terminal has no background.
  public func askForBackground() {}

  /// A screen without a terminal has no bell.
  public func ring() {}

  /// A screen without a terminal has no window.
  public func setTitle(_ title: String) {}
  public func notify(_ text: String, title: String, by kind: NotificationKind) {}

  /// Nothing else writes on a screen without a terminal.
  public func redraw() {}

  /// A screen without a terminal has nothing to lend.
  public func lend() {}
  public func takeBack() {}

  /// Events come by ``events`` alone, unless a screen says otherwise.
  public func deliverEvents(to receive: @escaping @MainActor ([InputEvent]) -> Void) -> Bool {
    false
  }
}
