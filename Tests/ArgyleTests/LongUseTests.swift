import Foundation
import LoadingTesting
import PseudoTerminal
import TerminalUITesting
import Testing

@testable import Argyle
@testable import TerminalUI

/// Tests of the memory that the program uses over a long time.
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
}

/// The program with its demo data, used at random.
@MainActor
private final class LongUse {
  private let runtime = ManualRuntime()
  private let model: ProgramModel
  private let stage: Stage
  private var chance = SeededGenerator(seed: 1)
  private let part: ProgramModel.Part

  private static let size = Size(width: 100, height: 30)
  private static let keys: [KeyPress] =
    [.up, .down, .left, .right, .enter, .escape, .escape, .tab, .pageUp, .pageDown]
    + "jkhlgGrdu?npmsAtf/aexJ><R!cCb+-PSX ".map { KeyPress(.character($0)) }

  init(of part: ProgramModel.Part) {
    self.part = part
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
      if let key = Self.keys.randomElement(using: &chance) { stage.press(key) }
      switch Int.random(in: 0..<40, using: &chance) {
      case 0:
        stage.resize(
          [20, 60, 100, 140].randomElement(using: &chance) ?? 80,
          [5, 24, 40].randomElement(using: &chance) ?? 24)
      case 1: goBack()
      case 2...5: await pass(.milliseconds(700))
      default: break
      }
    }
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
