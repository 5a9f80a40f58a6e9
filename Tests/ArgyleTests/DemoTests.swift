import ArgumentParser
import Loading
import LoadingTesting
import TerminalUI
import Testing

@testable import Argyle

@Suite struct DemoTests {
  @Test func `every scene has a name of its own and one sentence`() {
    #expect(Set(Scene.all.map(\.name)).count == Scene.all.count)
    for scene in Scene.all {
      #expect(scene.name.allSatisfy { $0.isLowercase || $0 == "-" })
      #expect(scene.summary.hasSuffix(".") && scene.summary.count(where: { $0 == "." }) == 1)
    }
  }

  @Test(arguments: [
    ["nothing"], ["--speed", "0"], ["--speed", "1000"], ["--cells", "0"], ["--seed=-1"],
  ])
  func `what a demo cannot do ends with status 64`(arguments: [String]) {
    do {
      _ = try Argyle.parseAsRoot(["demo"] + arguments)
      Issue.record("\(arguments) was taken")
    } catch {
      #expect(Argyle.exitCode(for: error).rawValue == 64)
    }
  }

  @MainActor
  @Test func `on a clock of double speed a wait takes half as long`() {
    let runtime = ManualRuntime()
    runtime.clock.advance(by: .seconds(10))
    let resource = Resource(
      Loader.scripted([.at(.seconds(3), .loaded("there"))]),
      clock: runtime.clock.any.running(at: 2), scheduler: runtime.scheduler)
    resource.load()
    runtime.advance(by: .milliseconds(1499))
    #expect(resource.isLoading)
    runtime.advance(by: .milliseconds(1))
    #expect(resource.state.value == "there")
  }

  @Test func `the handbook is in every demo library`() throws {
    #expect(!DemoLibrary.handbook.articles.isEmpty)
    #expect(DemoLibrary.full.articles.count == DemoLibrary.handbook.articles.count + 7)
    for article in DemoLibrary.full.articles {
      #expect(try !DemoLibrary.full.document(of: article.id).document.blocks.isEmpty)
    }
  }

  /// Returns the screen of the scene `articles` after some keys.
  @MainActor
  private func text(after keys: String, _ size: Size = Size(width: 80, height: 24)) throws -> String
  {
    let scene = try #require(Scene.all.first { $0.name == "articles" })
    let still = Still(scene, size.width, size.height)
    still.play(try KeyScript(keys))
    defer { still.end() }
    return still.frame.text
  }

  @MainActor
  @Test func `a list of the demo is sorted as its title says`() throws {
    let lines = try text(after: "@1 O @2").split(separator: "\n")
    #expect(lines[1].contains("oldest first"))
    #expect(lines[2].contains("On socks, and the measur"))
    #expect(try text(after: "@1 O O O @2").split(separator: "\n")[2].contains("A taxonomy"))
  }

  @MainActor
  @Test func `the demo hides read articles, and newly read ones after a reload`() throws {
    #expect(try text(after: "@1 U @2").contains("3 articles"))
    #expect(try text(after: "@1 U @2 m @3").contains("3 articles"))
    #expect(try text(after: "@1 U @2 m @3 r @8").contains("2 articles"))
    #expect(try text(after: "@1 U @2 U @3").contains("23 articles"))
  }

  @MainActor
  @Test func `on a narrow screen the demo has a list of feeds to go to`() throws {
    #expect(
      try text(after: "@1 L @2", Size(width: 60, height: 15))
        .contains("│ Letters from a Small Server"))
  }
}
