import Foundation
import Loading
import LoadingTesting
import PseudoTerminal
import TerminalUITesting
import Testing

@testable import Argyle
@testable import TerminalUI

/// Tests of the program in long use: of its memory, and of what it shows.
@MainActor
@Suite struct LongUseTests {
  /// How many keys are pressed in each part.
  ///
  /// Few, since all of them are pressed on the main actor; set `ARGYLE_KEYS` to more to find slow
  /// growth.
  private static let keyCount =
    ProcessInfo.processInfo.environment["ARGYLE_KEYS"].flatMap { Int($0) } ?? 400

  @Test(arguments: ProgramModel.Part.allCases)
  func `hundreds of keys leave nothing behind`(part: ProgramModel.Part) async {
    let use = LongUse(of: part)
    var counts: [Census] = []
    for _ in 1...8 {
      await use.press(Self.keyCount / 8)
      counts.append(await use.count())
    }
    // The numbers vary with what was done last: a search may be open, or an article.
    for number in [\Census.values, \.reads, \.elements] {
      let numbers = counts.map { $0[keyPath: number] }
      let (early, late) = (numbers[..<4].max() ?? 0, numbers[4...].max() ?? 0)
      #expect(late <= early * 5 / 4, "\(number): \(numbers)")
    }
  }

  @Test(arguments: ProgramModel.Part.allCases, [2, 3])
  func `what the screen shows is what it would show from nothing`(
    part: ProgramModel.Part, seed: UInt64
  ) async {
    let use = LongUse(of: part, seed: seed)
    for _ in 0..<Self.keyCount / 8 {
      await use.press(4)
      let shown = use.shown
      use.forget()
      guard shown == use.shown else {
        Issue.record("after \(use.pressed.suffix(20)):\n\(use.difference(from: shown))")
        return
      }
    }
  }
}

/// The program with its demo data, used at random.
@MainActor
private final class LongUse {
  private let runtime = ManualRuntime()
  private let model: ProgramModel
  private let stage: Stage
  private var chance: SeededGenerator
  private(set) var pressed: [KeyPress] = []
  private let part: ProgramModel.Part

  private static let size = Size(width: 100, height: 30)
  private static let keys: [KeyPress] =
    [.up, .down, .left, .right, .enter, .escape, .escape, .tab, .pageUp, .pageDown]
    + "jkhlgGrdu?npmsAtf/aexJ><R!cCb+-PSX ".map { KeyPress(.character($0)) }

  init(of part: ProgramModel.Part, seed: UInt64 = 1) {
    self.part = part
    chance = SeededGenerator(seed: seed)
    let clock = runtime.clock.any
    let scene = ProgramScene(
      SceneRuntime(clock: clock, scheduler: runtime.scheduler), part: part)
    model = scene.model
    stage = Stage(
      Self.size.width, Self.size.height, environment: EnvironmentValues(DisplaySettings()),
      runtime: runtime
    ) { scene }
  }

  /// Presses random keys, mostly in one part, and resizes the window from time to time.
  func press(_ count: Int) async {
    for _ in 0..<count {
      pressKey()
      switch Int.random(in: 0..<40, using: &chance) {
      case 0:
        stage.resize(
          [20, 60, 100, 140].randomElement(using: &chance) ?? 80,
          [5, 24, 40].randomElement(using: &chance) ?? 24)
      case 1: goBack()
      case 2...5: await pass(.milliseconds(700))
      case 6...9:
        // A key between two ticks.
        await pass(.milliseconds(30))
        pressKey()
        await pass(.milliseconds(70))
      default: break
      }
    }
  }

  private func pressKey() {
    guard let key = Self.keys.randomElement(using: &chance) else { return }
    pressed.append(key)
    stage.press(key)
  }

  /// What the user sees, and when it changes by itself.
  var shown: Shown {
    Shown(
      cells: stage.frame.cells, cursor: stage.frame.cursor, next: stage.frame.nextChange,
      keys: stage.frame.bindings.map(\.label))
  }

  struct Shown: Equatable {
    let cells: CellBuffer
    let cursor: Point?
    let next: AnyClock.Instant?
    let keys: [String]
  }

  /// Draws the next frame from nothing; the state of the views is kept.
  func forget() {
    stage.host.forgetFrames()
    stage.settle()
  }

  func difference(from before: Shown) -> String {
    let now = shown
    return """
      \(before.cells.text)
      --- from nothing:
      \(now.cells.text)
      \(before.next as Any) \(now.next as Any), \(before.cursor as Any) \(now.cursor as Any)
      \(now.keys.difference(from: before.keys))
      """
  }

  /// Counts what is kept while the first screen of the part is shown and nothing happens.
  func count() async -> Census {
    stage.resize(Self.size.width, Self.size.height)
    goBack()
    // Messages disappear, and removals can no longer be undone.
    for _ in 1...20 { await pass(.seconds(1)) }
    return Census(of: [stage.host, model])
  }

  private func goBack() {
    for _ in 1...4 { stage.press(.escape) }
    let index = ProgramModel.Part.allCases.firstIndex(of: part) ?? 0
    stage.press(KeyPress(.character(Character("\(index + 1)"))))
  }

  private func pass(_ time: Duration) async {
    stage.advance(by: time)
    // Lets tasks of the main actor run.
    await Task.yield()
    stage.settle()
  }
}

/// How much is reachable from some objects.
private struct Census {
  /// Objects, and the elements of arrays, dictionaries and sets.
  private(set) var values = 0
  /// Values of models that views observe.
  private(set) var reads = 0
  /// Elements of the retained tree of views.
  private(set) var elements = 0

  @MainActor
  init(of roots: [AnyObject]) {
    var seen: Set<ObjectIdentifier> = []
    var rest: [Any] = roots
    while let value = rest.popLast() {
      if value is String || value is any BinaryInteger { continue }
      var mirror: Mirror? = Mirror(reflecting: value)
      switch mirror?.displayStyle {
      case .class:
        guard seen.insert(ObjectIdentifier(value as AnyObject)).inserted else { continue }
        values += 1
        if let reads = value as? Registration { self.reads += reads.count }
        if value is Element { elements += 1 }
      case .collection, .dictionary, .set: values += mirror?.children.count ?? 0
      default: break
      }
      while let part = mirror {
        rest += part.children.map(\.value)
        mirror = part.superclassMirror
      }
    }
  }
}
