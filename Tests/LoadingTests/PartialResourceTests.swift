import LoadingTesting
import Testing

@testable import Loading

@MainActor
@Suite(.leavesNothingBehind) struct PartialResourceTests {
  let runtime = ManualRuntime()
  let users = ManualLoads<String>()
  let posts = ManualLoads<[Int]>()

  @Test func `a profile is shown although its posts failed, and only those are retried`() throws {
    let user = runtime.resource(users.loader)
    let post = runtime.resource(posts.loader)
    let profile = PartialResource(user, post)
    profile.load()
    #expect(profile.state.isLoading)
    runtime.run()
    users[0].succeed("Ada")
    posts[0].fail(Broken())
    runtime.run()
    let (name, list) = try #require(profile.state.value)
    #expect(name == "Ada")
    #expect(list == nil)
    #expect(profile.failures.map { $0.error as? Broken } == [Broken()])
    profile.retry()
    runtime.run()
    #expect(users.count == 1)
    posts[1].succeed([1])
    runtime.run()
    #expect(profile.values.1 == [1])
    #expect(profile.failures.isEmpty)
  }

  @Test func `the combination has failed if no part was loaded`() {
    let profile = PartialResource(runtime.resource(users.loader), runtime.resource(posts.loader))
    #expect(profile.state.isIdle)
    profile.load()
    runtime.run()
    users[0].fail(Broken("a"))
    runtime.run()
    #expect(profile.state.isLoading)
    posts[0].fail(Broken("b"))
    runtime.run()
    #expect(profile.state.error as? Broken == Broken("a"))
    #expect(profile.failures.count == 2)
  }

  @Test func `cancelling the loads of a combination does not end its live subscriptions`() {
    let user = runtime.resource(users.loader)
    let post = runtime.resource(posts.loader)
    let profile = PartialResource(user, post)
    profile.load()
    runtime.run()
    users[0].output.yield("Ada")
    users[0].context.send(.phase(.live))
    runtime.run()
    profile.cancel()
    runtime.run()
    #expect(user.activity?.phase == .live)
    #expect(post.activity == nil)
    users[0].output.yield("Bob")
    runtime.run()
    #expect(user.state == .loaded("Bob"))
    user.reset()
    users.end()
    posts.end()
    runtime.run()
  }
}
