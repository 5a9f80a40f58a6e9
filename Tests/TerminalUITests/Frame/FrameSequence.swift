import Loading
import LoadingTesting
import PseudoTerminal

@testable import TerminalUI

/// A sequence of random changes to a random tree, which is drawn incrementally and from nothing.
@MainActor
enum FrameSequence {
  /// A tree that is drawn incrementally, or from nothing each time.
  @MainActor
  private final class Run {
    let tree: ChangingTree
    let host: ViewHost
    let isIncremental: Bool
    private let runtime = ManualRuntime()
    private(set) var frame: Frame
    var size: Size

    init(seed: UInt64, size: Size, isPlain: Bool, isIncremental: Bool) {
      let tree = ChangingTree(seed: seed, depth: 3, runtime: runtime)
      self.tree = tree
      self.size = size
      self.isIncremental = isIncremental
      host = ViewHost(clock: runtime.clock.any, scheduler: runtime.scheduler) {
        VStack(alignment: .leading) {
          ChangingView(tree: tree, part: tree.root)
          KeyFooter()
        }
      }
      host.environment.isPlain = isPlain
      frame = Frame(EmptyView(), size: .zero)
    }

    /// Updates and presents the frame, until nothing more changes without time passing.
    func settle() {
      var rounds = 0
      repeat {
        update()
        runtime.run()
        rounds += 1
      } while host.needsFrame && rounds < 20
    }

    private func update() {
      let now = runtime.clock.now
      if !isIncremental { host.forgetFrames() }
      let isDue = frame.nextChange.map { $0 <= now } ?? false
      if isDue || host.needsFrame || frame.cells.size != size { draw(now) }
    }

    private func draw(_ now: AnyClock.Instant) {
      frame = host.frame(size: size, at: now)
      host.didPresent(frame)
    }

    func press(_ key: KeyPress, times: Int) {
      for _ in 0..<times {
        host.press(key, in: frame)
        settle()
      }
    }

    func advance(by duration: Duration) { runtime.advance(by: duration) }

    /// Everything in the frame that a user can see and do, as text.
    var facts: [String] {
      let stops = frame.declarations.focusables
      let focus = frame.focuses.sorted { $0.key < $1.key }.map { layer, path in
        "\(layer): \(stops.firstIndex { $0.layer == layer && $0.path == path } ?? -1)"
      }
      return ["cursor \(frame.cursor.map { "\($0.x), \($0.y)" } ?? "hidden")"]
        + ["next change \(frame.nextChange.map { "\($0.offset)" } ?? "never")"]
        + ["layer \(frame.layer)", "focus \(focus)"]
        + frame.bindings.map { "key \($0.keys.map(\.description)) \($0.label) \($0.footer)" }
        + frame.focusables.map { "stop \($0.rect) depth \($0.path.depth)" }
        + frame.declarations.focusables.map { "stop of layer \($0.layer)" }
        + frame.pointerRegions.map { "pointer \($0.rect)" }
        + ["lifecycle \(frame.lifecycle.count)"]
        // The order in which views leave at the same time is not defined.
        + tree.log.sorted()
    }
  }

  private static let keys: [KeyPress] = [
    "j", "j", "j", "k", "k", "l", "h", "g", "G", .pageDown, .pageUp, .tab, .tab, .backTab, .enter,
    .space, "+", "r", .escape, "]", "a", .backspace, .control("x"),
  ]

  private static func size(using generator: inout SeededGenerator) -> Size {
    Size(
      width: .random(in: 1...44, using: &generator), height: .random(in: 1...14, using: &generator))
  }

  /// Applies random changes, keys, clicks, sizes and times to both, and returns the first step
  /// after which they differ.
  static func firstDifference(seed: UInt64, steps: Int) -> String? {
    var generator = SeededGenerator(seed: seed)
    let size = Self.size(using: &generator)
    let isPlain = seed.isMultiple(of: 4)
    let runs = [true, false].map {
      Run(seed: seed, size: size, isPlain: isPlain, isIncremental: $0)
    }
    for run in runs { run.settle() }
    for step in 0..<steps {
      // In some sequences mostly time passes.
      let choices = seed.isMultiple(of: 3) ? [0, 6, 7, 7, 7, 14] : Array(0..<20)
      let choice = choices.randomElement(using: &generator) ?? 0
      let key = Self.keys.randomElement(using: &generator) ?? "j"
      let times = Int.random(in: 1...3, using: &generator)
      let newSize = Self.size(using: &generator)
      let place = Point(
        x: .random(in: 0..<newSize.width, using: &generator),
        y: .random(in: 0..<newSize.height, using: &generator))
      for run in runs {
        switch choice {
        case 0..<5: for _ in 0..<times { run.tree.change() }
        case 5: run.size = newSize
        case 6: run.advance(by: .milliseconds(100 * times))
        // What changes between two ticks is drawn at once, but what is due then at the later tick. The
        // line of announcements would tell whether two things were drawn at once.
        case 7:
          run.advance(by: .milliseconds(30 * times))
          for _ in 0..<4 { run.tree.change() }
          if !isPlain { run.settle() }
          run.advance(by: .milliseconds(100 - 30 * times))
        case 8: run.host.send(MouseEvent(.press, at: place), in: run.frame)
        case 9: run.host.send(MouseEvent(.wheelDown, at: place), in: run.frame)
        case 10: run.host.paste("pasted", in: run.frame)
        case 11: run.host.environment.reduceMotion.toggle()
        default: run.press(key, times: times)
        }
        run.settle()
      }
      let (incremental, whole) = (runs[0], runs[1])
      guard
        incremental.frame.cells != whole.frame.cells || incremental.facts != whole.facts
      else { continue }
      let facts = incremental.facts.difference(from: whole.facts)
      let (some, others) = (incremental.frame.cells, whole.frame.cells)
      let places = (0..<some.size.height).flatMap { y in
        (0..<some.size.width).filter { some[$0, y] != others[$0, y] }.map { Point(x: $0, y: y) }
      }
      let cells = places.prefix(5).map { "\($0) \(some[$0.x, $0.y]) \(others[$0.x, $0.y])" }
      return """
        seed \(seed), step \(step), choice \(choice), \(times) × \(key), \(incremental.size)
        \((facts.map { "\($0)" } + cells).joined(separator: "\n"))
        \(incremental.frame.text)
        --- from nothing:
        \(whole.frame.text)
        """
    }
    return nil
  }
}
