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
  /// Whether what was presented has left: while it has not (Ctrl-S, a slow line), a newer frame
  /// waits for ``InputEvent/drained`` instead of joining a queue.
  var isReady: Bool { get }
  /// Shows a buffer of the screen's size; `cursor` is where the terminal's cursor stands, hidden
  /// where there is none. Never blocks.
  func present(_ buffer: CellBuffer, cursor: Point?)
  /// Gives the terminal back, stops the process until it is continued, and takes it again. The
  /// next frame is drawn whole.
  func suspend()
  /// Gives the terminal back as it was. A second call does nothing.
  func close()
}
