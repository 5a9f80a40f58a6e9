public import LoadingTesting
public import TerminalUI

/// A view on a screen without a terminal, whose time stands still: it is pressed, clicked, resized
/// and advanced as a program would be, and read as text.
///
/// After each of these it presents frames until nothing changes any more without time passing.
///
/// ```swift
/// let stage = Stage(24, 1) { Counter() }
/// stage.press("+", "+")
/// #expect(stage.text == "n2")
/// ```
///
/// Loaders that views make from functions run on ``runtime``; resources of models have to be made on
/// its clock and scheduler.
@MainActor
public final class Stage {
  /// The time, and where loads run.
  public let runtime: ManualRuntime
  /// What is on the screen, and which keys do what.
  public private(set) var frame: Frame
  /// How large the screen is; a new size is seen with the next frame.
  package var size: Size
  package let host: ViewHost

  /// Shows a view on a screen of some columns and rows.
  ///
  /// - Parameter environment: what the views inherit at the root, such as a theme.
  public init(
    _ width: Int, _ height: Int, environment: EnvironmentValues = EnvironmentValues(),
    runtime: ManualRuntime = ManualRuntime(), @ViewBuilder _ view: @escaping () -> some View
  ) {
    self.runtime = runtime
    size = Size(width: width, height: height)
    host = ViewHost(clock: runtime.clock.any, scheduler: runtime.scheduler, root: view)
    host.environment = environment
    host.takeRuns()
    frame = host.frame(size: size, at: runtime.clock.now)
    settle()
  }

  // MARK: Reading

  /// What is on the screen: a line a row, without the blanks at its end.
  public var text: String { frame.text }

  /// The rows of the screen, without the blanks at their ends.
  public var lines: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The words of the keys that the footer shows first, in its order.
  public var footer: [String] { frame.bindings.filter { $0.footer == .first }.map(\.label) }

  /// How the first glyph of a word is drawn, where it stands first; nil where it does not stand.
  public func style(of word: String) -> Style? {
    place(of: word).map { frame.cells[$0.x, $0.y].style }
  }

  /// The cell at which a word begins, where it stands first; nil where it does not stand.
  public func place(of word: String) -> Point? {
    let glyphs = Array(Glyphs(word))
    for y in 0..<frame.cells.size.height {
      let row = Array(frame.cells.row(y))
      for x in 0..<max(0, row.count - glyphs.count + 1)
      where row[x..<(x + glyphs.count)].map(\.glyph) == glyphs {
        return Point(x: x, y: y)
      }
    }
    return nil
  }

  // MARK: Acting

  /// Presses keys, each in the frame that the one before has left.
  public func press(_ keys: KeyPress...) {
    for key in keys {
      host.press(key, in: frame)
      settle()
    }
  }

  /// Types the characters of a text.
  public func type(_ text: String) {
    for character in text { press(KeyPress(.character(character))) }
  }

  /// Pastes a text; nothing happens where no field has the focus.
  public func paste(_ text: String) {
    host.paste(text, in: frame)
    settle()
  }

  /// Clicks with the main button: presses it and lets it go.
  public func click(at place: Point) {
    for kind in [MouseEvent.Kind.press, .release] { send(MouseEvent(kind, at: place)) }
  }

  /// Has the mouse do something.
  public func send(_ event: MouseEvent) {
    host.send(event, in: frame)
    settle()
  }

  /// Gives the screen another size.
  public func resize(_ width: Int, _ height: Int) {
    size = Size(width: width, height: height)
    settle()
  }

  /// What the views inherit at the root.
  public var environment: EnvironmentValues {
    get { host.environment }
    set {
      host.environment = newValue
      settle()
    }
  }

  // MARK: Time

  /// Lets time pass; what wakes meanwhile does so at its own time.
  public func advance(by duration: Duration) {
    runtime.advance(by: duration)
    settle()
  }

  /// Presents frames until nothing changes without time passing.
  ///
  /// Called by everything above; a test calls it after it has changed a model by itself. A view that
  /// changes itself in every frame is given up after 20.
  public func settle() {
    var rounds = 0
    var isActing = false
    repeat {
      runtime.run()
      frame = host.frame(size: size, at: runtime.clock.now)
      host.didPresent(frame)
      runtime.run()
      rounds += 1
      // As a program does, once the frame is up to date.
      isActing = !host.needsFrame && host.performNext(in: frame, at: runtime.clock.now)
    } while (host.needsFrame || isActing) && rounds < 20
  }

  /// Settles, and gives tasks that run beside the main actor their turns, until `condition` holds.
  public func settle(until condition: () -> Bool) async {
    settle()
    while !condition() {
      await Task.yield()
      settle()
    }
  }

  /// Ends the tasks of the views, as the end of a program does.
  public func end() { host.end() }
}
