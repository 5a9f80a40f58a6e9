public import LoadingTesting
public import TerminalUI

/// A view on a screen without a terminal, whose time advances only when the test says so.
///
/// A test presses keys, clicks, resizes and lets time pass, and reads the screen as text. After
/// each of these, the stage presents frames until nothing more changes without time passing.
///
/// ```swift
/// let stage = Stage(24, 1) { Counter() }
/// stage.press("+", "+")
/// #expect(stage.text == "n2")
/// ```
///
/// Loaders that views make from functions use ``runtime``. A model and the stage that shows it share
/// one: the resources of the model are created with its clock and scheduler.
///
/// Only the tasks of `.task` run later: on the main actor, while the test awaits
/// ``settle(until:)``.
@MainActor
public final class Stage {
  /// The clock, and the scheduler of loads.
  public let runtime: ManualRuntime
  /// The newest frame: the cells on the screen and the keys in force.
  public private(set) var frame: Frame
  /// The size of the screen; a change takes effect with the next frame.
  package var size: Size
  package let host: ViewHost

  /// Shows a view on a screen with a width in columns and a height in rows.
  ///
  /// - Parameter environment: the environment that the views inherit, for example with a theme.
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

  /// The text on the screen, one line for each row, without trailing blanks.
  public var text: String { frame.text }

  /// The rows of the screen, without trailing blanks.
  public var lines: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The labels of the keys that the footer shows first, in order.
  ///
  /// A key that another view takes is left out, as in the footer.
  public var footer: [String] {
    frame.distinctBindings.filter { $0.footer == .first }.map(\.label)
  }

  /// Returns the style of the first glyph of a word, where it first occurs; nil if it does not
  /// occur.
  public func style(of word: String) -> Style? {
    place(of: word).map { frame.cells[$0.x, $0.y].style }
  }

  /// Returns the cell at which a word first occurs; nil if it does not occur.
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

  /// Presses keys, each in the frame that results from the previous one.
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

  /// Pastes a text into the focused field, or else into the view with `onPaste`; does nothing if
  /// there is neither.
  public func paste(_ text: String) {
    host.paste(text, in: frame)
    settle()
  }

  /// Clicks with the main button: presses and releases it.
  public func click(at place: Point) {
    for kind in [MouseEvent.Kind.press, .release] { send(MouseEvent(kind, at: place)) }
  }

  /// Sends a mouse event.
  public func send(_ event: MouseEvent) {
    host.send(event, in: frame)
    settle()
  }

  /// Changes the size of the screen.
  public func resize(_ width: Int, _ height: Int) {
    size = Size(width: width, height: height)
    settle()
  }

  /// The environment that the views inherit.
  public var environment: EnvironmentValues {
    get { host.environment }
    set {
      host.environment = newValue
      settle()
    }
  }

  // MARK: Time

  /// Lets time pass; timers fire at their own times meanwhile.
  public func advance(by duration: Duration) {
    runtime.advance(by: duration)
    settle()
  }

  /// Presents frames until nothing changes without time passing.
  ///
  /// Every method that acts on the stage calls it; a test calls it after changing a model itself.
  /// It gives up after 20 frames on a view that changes itself in every frame. The tasks of `.task`
  /// do not run in it, but in ``settle(until:)``.
  public func settle() {
    var rounds = 0
    var isActing = false
    repeat {
      runtime.run()
      frame = host.frame(size: size, at: runtime.clock.now)
      host.didPresent(frame)
      runtime.run()
      rounds += 1
      // A program also performs pending actions only once the frame is up to date.
      isActing = !host.needsFrame && host.performNext(in: frame, at: runtime.clock.now)
    } while (host.needsFrame || isActing) && rounds < 20
  }

  /// Settles until `condition` returns `true`, and lets other tasks run in between: those of
  /// `.task`, which run on the main actor, and those off the main actor.
  ///
  /// ```swift
  /// await stage.settle { toasts.count == 1 }
  /// ```
  ///
  /// It also returns when its task is cancelled, for example by the time limit of the test: set one
  /// if the condition may never become true.
  public func settle(until condition: () -> Bool) async {
    settle()
    while !condition(), !Task.isCancelled {
      await Task.yield()
      settle()
    }
  }

  /// Cancels the tasks of the views and runs their disappearance actions, as the end of a program
  /// does.
  public func end() { host.end() }
}
