import ArgumentParser
import Loading
import LoadingTesting
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
}
