import Foundation
import Loading
import Observation
import LoadingTesting
import PseudoTerminal
import Testing

@testable import TerminalUI

/// Tests that an incremental frame equals the frame that is built from nothing.
@MainActor
@Suite struct IncrementalFrameTests {
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
  private func firstDifference(seed: UInt64, steps: Int) -> String? {
    var generator = SeededGenerator(seed: seed)
    let size = Self.size(using: &generator)
    let runs = [true, false].map {
      Run(seed: seed, size: size, isPlain: seed.isMultiple(of: 4), isIncremental: $0)
    }
    for run in runs { run.settle() }
    for step in 0..<steps {
      let choice = Int.random(in: 0..<20, using: &generator)
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
        case 6, 7: run.advance(by: .milliseconds(50 * newSize.width))
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

  /// The number of sequences in a group; set `ARGYLE_SEQUENCES` to more to find rare differences.
  private static let groupSize =
    ProcessInfo.processInfo.environment["ARGYLE_SEQUENCES"].flatMap { UInt64($0) } ?? 20

  @Observable final class Words {
    var text = "a"
  }

  struct Word: View {
    let words: Words
    var body: some View { Text(words.text) }
  }

  @Test func `what stands around a view that grows moves with it`() {
    let words = Words()
    let host = ViewHost {
      VStack(alignment: .leading) {
        HStack {
          Word(words: words)
          Text("beside")
        }
        Word(words: words).border()
        Text("below")
      }
      .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
    }
    let size = Size(width: 20, height: 9)
    let first = host.frame(size: size)
    #expect(first.text.hasPrefix("a beside\n╭─╮\n│a│\n╰─╯\nbelow\n"))
    host.didPresent(first)
    words.text = "longer\nwords"
    let second = host.frame(size: size)
    #expect(
      second.text == """
        longer beside
        words
        ╭──────╮
        │longer│
        │words │
        ╰──────╯
        below


        """)
  }

  struct Stop: View {
    let words: Words
    var body: some View {
      if words.text.isEmpty { Text("word") } else { Text("word").focusable() }
    }
  }

  @Test func `a scroll view can have the focus once nothing in it can`() {
    let words = Words()
    let size = Size(width: 20, height: 4)
    let host = ViewHost { ScrollView { Stop(words: words) } }
    let first = host.frame(size: size)
    host.didPresent(first)
    #expect(first.focusables.map(\.rect.size) == [Size(width: 18, height: 1)])
    words.text = ""
    let second = host.frame(size: size)
    #expect(second.focusables.map(\.rect.size) == [size])
  }

  /// Earlier failures: a row that came back to where other rows had been, scroll bars beside
  /// content that grew, rows that were measured and released, a message that waited out of
  /// sight, and elements that are drawn twice.
  @Test(arguments: [
    727, 781, 908, 1204, 1211, 1302, 1865, 1875, 2406, 2664, 2675, 3258, 4751, 6416, 8142, 8255,
  ])
  func `what once was wrong is right`(seed: UInt64) {
    if let difference = firstDifference(seed: seed, steps: 12) {
      Issue.record(Comment(rawValue: difference))
    }
  }

  @Test(arguments: 0..<20)
  func `a frame that was brought up to date is the frame from nothing`(group: UInt64) {
    for seed in (group * Self.groupSize)..<((group + 1) * Self.groupSize) {
      if let difference = firstDifference(seed: seed, steps: 12) {
        Issue.record(Comment(rawValue: difference))
      }
    }
  }
}
