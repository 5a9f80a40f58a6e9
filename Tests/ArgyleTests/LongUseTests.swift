import Foundation
import LoadingTesting
import PseudoTerminal
import TerminalUITesting
import Testing

@testable import Argyle
@testable import TerminalUI

/// What the program keeps while it is used for long.
@MainActor
@Suite struct LongUseTests {
  /// How many keys are pressed in each part.
  ///
  /// Few, since all of them are pressed on the main actor: `ARGYLE_KEYS` asks for as many as it takes to
  /// find what grows slowly.
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
    // What is kept differs by what was done last: a search is open, or an article.
    for number in [\Census.values, \.reads, \.elements] {
      let numbers = counts.map { $0[keyPath: number] }
      let (early, late) = (numbers[..<4].max() ?? 0, numbers[4...].max() ?? 0)
      #expect(late <= early * 5 / 4, "\(number): \(numbers)")
    }
  }
}

/// The program on its demo data, used at random.
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

  /// Presses keys at random, in windows of other sizes now and then, mostly in one part.
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

  /// What is kept while the first screen of the part shows and nothing happens.
  func count() async -> Census {
    stage.resize(Self.size.width, Self.size.height)
    goBack()
    // What was said goes away, and what was removed cannot be had back.
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
    // Tasks of the main actor.
    await Task.yield()
    stage.settle()
  }
}

/// How much can be reached from some objects.
private struct Census {
  /// Objects, and the elements of arrays, dictionaries and sets.
  private(set) var values = 0
  /// What views have read of models, of which they are told changes.
  private(set) var reads = 0
  /// Views that the tree keeps.
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
