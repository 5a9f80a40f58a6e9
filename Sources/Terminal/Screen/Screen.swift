/// Shows frames and provides input: a terminal, or a screen in memory.
///
/// Only the screen talks to the terminal, and nothing may write to standard output or standard
/// error while a screen is open. By default, the methods from ``askForBackground()`` to
/// ``takeBack()`` do nothing.
@MainActor
public protocol Screen: AnyObject {
  /// The present number of columns and rows.
  var size: Size { get }
  /// All events in order, for one consumer.
  var events: AsyncStream<InputEvent> { get }
  /// Passes events to `receive` instead of to ``events``; events that arrive together are passed in
  /// one call.
  ///
  /// - Returns: `false` if the screen delivers events only through ``events``, or has already begun
  ///   to deliver them.
  func deliverEvents(to receive: @escaping @MainActor ([InputEvent]) -> Void) -> Bool
  /// Whether the presented frame has been written.
  ///
  /// While it has not (after Ctrl-S, or on a slow line), do not present a newer frame before
  /// ``InputEvent/drained``: ``NcursesScreen`` drops such a frame instead of queuing it.
  var isReady: Bool { get }
  /// Shows a buffer of the screen's size; never blocks.
  ///
  /// - Parameters:
  ///   - buffer: the cells to show.
  ///   - cursor: the position of the terminal's cursor; nil hides it.
  ///   - damage: where the buffer may differ from the last one presented; nil for anywhere.
  func present(_ buffer: CellBuffer, cursor: Point?, damage: Damage?)
  /// Asks the terminal to copy text to the clipboard, after removing invisible characters.
  ///
  /// Whether it does so is unknown. Text that is empty or longer than 8 KB is not sent.
  ///
  /// - Returns: whether the text was sent.
  @discardableResult
  func copy(_ text: String) -> Bool
  /// Asks the terminal for its background colour.
  ///
  /// The answer is ``InputEvent/background(_:)``, which may arrive soon, late or never.
  func askForBackground()
  /// Rings the bell of the terminal, or flashes the screen, depending on the terminal's settings.
  func ring()
  /// Sets the title of the terminal's window, if the options of the screen allow that.
  func setTitle(_ title: String)
  /// Asks the terminal to show a notification outside its window; whether it does so is unknown.
  func notify(_ text: String, title: String, by kind: NotificationKind)
  /// Draws the whole next frame, and requests it with ``InputEvent/resize(_:)``.
  ///
  /// Use it when another program has written to the terminal.
  func redraw()
  /// Restores the terminal, stops the process until it is continued, and takes the terminal again.
  ///
  /// The next frame is drawn whole.
  func suspend()
  /// Gives the terminal to a program started by this one, until ``takeBack()``.
  ///
  /// Meanwhile nothing is read, and presented frames are not shown. The other program is in the
  /// process group of this one; keys that end or stop a program apply to the other one.
  func lend()
  /// Takes the terminal again after ``lend()``; the next frame is drawn whole.
  func takeBack()
  /// Restores the terminal; a second call does nothing.
  func close()
}

extension Screen {
  /// Shows a buffer that may differ anywhere from the last one presented.
  public func present(_ buffer: CellBuffer, cursor: Point?) {
    present(buffer, cursor: cursor, damage: nil)
  }

  public func askForBackground() {}
  public func ring() {}
  public func setTitle(_ title: String) {}
  public func notify(_ text: String, title: String, by kind: NotificationKind) {}
  public func redraw() {}
  public func lend() {}
  public func takeBack() {}

  /// Returns `false`: by default, events are delivered only through ``events``.
  public func deliverEvents(to receive: @escaping @MainActor ([InputEvent]) -> Void) -> Bool {
    false
  }
}
