/// An event that reached the program through its terminal, or concerns the terminal.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(KeyPress)
  /// The mouse was used.
  case mouse(MouseEvent)
  /// Text was pasted.
  ///
  /// It is unchanged except for characters of more than 32 scalars, which are cut. It is sanitised
  /// when it is drawn.
  case paste(String)
  /// The terminal has reported its background colour, after ``Screen/askForBackground()``.
  case background(Color)
  /// The terminal has a new size.
  case resize(Size)
  /// The terminal has gained or lost the focus.
  case focus(Bool)
  /// The user asked to suspend the program (Ctrl-Z).
  case suspend
  /// A signal asks the program to end in an orderly way and then to raise the signal again.
  case terminate(signal: Int32)
  /// The terminal has accepted all output, so a frame may be presented again.
  case drained
  /// The terminal was closed; no more keys will come.
  case closed
}

/// A click, a drag, or a turn of the wheel.
public struct MouseEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// The main button went down.
    case press
    /// The mouse moved to another cell while the button was down.
    case drag
    /// The button was released.
    case release
    /// The wheel was turned.
    case wheelUp, wheelDown
  }

  /// What happened.
  public var kind: Kind
  /// The cell where it happened.
  public var location: Point

  /// Creates an event at a cell.
  public init(_ kind: Kind, at location: Point) {
    self.kind = kind
    self.location = location
  }
}
