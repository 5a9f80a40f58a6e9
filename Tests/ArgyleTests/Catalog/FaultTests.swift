import Loading
import LoadingTesting
import Testing

@testable import Argyle

/// Tests of the faults of scripted loads.
@MainActor
@Suite struct FaultTests {
  private let runtime = ManualRuntime()
  private let faults = Faults()

  private func resource() -> Resource<String> {
    Resource(
      Loader.constant("there").under(faults), clock: runtime.clock.any,
      scheduler: runtime.scheduler)
  }

  @Test func `latency is added to the time of a load`() {
    faults.settings.latency = .seconds(2)
    let resource = resource()
    resource.load()
    runtime.advance(by: .milliseconds(1999))
    #expect(resource.isLoading)
    runtime.advance(by: .milliseconds(1))
    #expect(resource.latestValue == "there")
  }

  @Test(arguments: Faults.Failure.allCases)
  func `a load fails with what was chosen`(failure: Faults.Failure) {
    faults.settings.failureShare = 100
    faults.settings.failure = failure
    let resource = resource()
    resource.load()
    runtime.run()
    #expect(
      (resource.failure?.error as? DescribedError)?.message.what == failure.error.message.what)
  }

  @Test func `one load in two fails, and which of them is decided by the seed`() {
    func outcomes(seed: UInt64) -> [Bool] {
      let resource = resource()
      faults.settings = Faults.Settings(failureShare: 50, seed: seed)
      return (0..<200).map { _ in
        resource.load(.restart)
        runtime.run()
        return resource.currentFailure == nil
      }
    }
    let first = outcomes(seed: 2)
    #expect(60...140 ~= first.count { $0 })
    #expect(outcomes(seed: 3) != first)
    #expect(outcomes(seed: 2) == first)
  }

  @Test func `loads that are held go on one by one, and all when they are no longer held`() {
    faults.settings.isHolding = true
    let resources = (0..<4).map { _ in resource() }
    for resource in resources { resource.load() }
    runtime.run()
    #expect(resources.allSatisfy { $0.isLoading })
    faults.step()
    runtime.run()
    #expect(resources.map(\.isLoading) == [false, true, true, true])
    resources[1].cancel()
    runtime.run()
    faults.step()
    runtime.run()
    #expect(resources.map(\.isLoading) == [false, false, false, true])
    #expect(resources[1].latestValue == nil)
    faults.settings.isHolding = false
    runtime.run()
    #expect(resources.map { $0.latestValue != nil } == [true, false, true, true])
  }

  @Test(arguments: ["20x5", "30x8", "40x10", "80x24"])
  func `on every screen each fault can be chosen, and its value is seen`(size: String) throws {
    func row(_ keys: String) throws -> [String] {
      try ScreenshotCommand.parse(["catalog", "--size", size, "--keys", "f9 \(keys)", "--at", "1"])
        .picture().split(separator: "\n").map(String.init)
    }
    for (keys, value) in [
      ("right", "0.5 s more"), ("down right", "1 in 4"), ("down down right", "disk full"),
      ("down down down right", "on"), ("down down down down right", "2"),
    ] {
      #expect(try row(keys).contains { $0.contains(value) }, "\(size): \(keys)")
    }
    let end = try row("down down down right down down")
    #expect(end.contains { $0.contains("Let one load") }, "\(size)")
    #expect(size == "20x5" || end.last?.contains("Enter do it") == true, "\(size)")
  }

  @Test func `a demo has them behind F9, and its loads are as faulty as was chosen`() throws {
    func picture(_ scene: String, _ keys: String) throws -> String {
      try ScreenshotCommand.parse([scene, "--size", "100x30", "--keys", keys, "--at", "6"])
        .picture()
    }
    #expect(try picture("articles", "@1 f9").contains("─ Faults of the next loads ─"))
    // Makes all loads fail, because the disk is full.
    let faults = "@1 f9 down right right right down right esc"
    #expect(try picture("articles", "\(faults) @1.5 r").contains("✗ The disk is full."))
    #expect(try picture("socks", "\(faults) @1.5 +").contains("The disk is full."))
    #expect(!(try picture("articles", "@1.5 r").contains("The disk is full.")))
    #expect(try picture("gallery", "\(faults) @1.5 r").contains("No colour"))
  }
}
