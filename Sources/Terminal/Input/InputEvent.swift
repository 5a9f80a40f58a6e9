/// Something that reached the program through its terminal, or about it.
public enum InputEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(KeyPress)
  /// The mouse did something.
  case mouse(MouseEvent)
  /// Text was pasted: as it came, but for characters of too many scalars, which
  /// ``Swift/String/limitingCharacters()`` cuts. It is sanitised when it is drawn.
  case paste(String)
  /// The terminal says what colour its background has, after ``Screen/askForBackground()``.
  case background(Color)
  /// The terminal has a new size.
  case resize(Size)
  /// The terminal has the focus, or has lost it to another window.
  case focus(Bool)
  /// The user asked to stop the program for a while (Ctrl-Z).
  case suspend
  /// A signal asks the program to end: leave in good order, then raise it again.
  case terminate(signal: Int32)
  /// The terminal took everything that was written: a frame may be presented again.
  case drained
  /// The terminal is gone: no key will come any more.
  case closed
}

/// A click, a move with the button down, or a turn of the wheel.
public struct MouseEvent: Hashable, Sendable {
  /// What happened.
  public enum Kind: Hashable, Sendable {
    /// The main button went down.
    case press
    /// The mouse was moved to another cell while it was down.
    case drag
    /// It came up again.
    case release
    /// The wheel was turned.
    case wheelUp, wheelDown
  }

  /// What happened.
  public var kind: Kind
  /// Where.
  public var location: Point

  /// Something that happened at a cell.
  public init(_ kind: Kind, at location: Point) {
    self.kind = kind
    self.location = location
  }
}
