import LoadingTesting
import Testing

@testable import Loading

/// Loaders that follow each other, and loaders whose values are transformed.
@MainActor
@Suite(.leavesNothingBehind) struct ChainingTests {
  let runtime = ManualRuntime()
  let loads = ManualLoads<Int>()
  let texts = ManualLoads<String>()

  private struct NoNumber: Error, Equatable {
    let text: String
  }

  private static let number: @Sendable (String) throws -> Int = { text in
    guard let number = Int(text) else { throw NoNumber(text: text) }
    return number
  }

  // MARK: flatMap

  @Test func `a load that depends on another one gets its value`() {
    let resource = runtime.resource(
      loads.loader.flatMap { [texts] number in texts.loader.map { "\(number) \($0)" } })
    resource.load()
    runtime.run()
    #expect(texts.count == 0)
    loads[0].output.yield(0)
    loads[0].context.report(fraction: 0.5)
    runtime.run()
    #expect(resource.progress?.percent == 25)
    loads[0].succeed(1)
    runtime.run()
    #expect(texts.count == 1)
    #expect(resource.state.isLoading)
    texts[0].context.report(message: "text")
    texts[0].context.report(fraction: 0.5)
    runtime.run()
    #expect(resource.progress?.percent == 75)
    texts[0].succeed("sock")
    runtime.run()
    #expect(resource.state == .loaded("1 sock"))
  }

  @Test func `a chain of two loaders fails if either of them fails`() {
    let resource = runtime.resource(loads.loader.flatMap { [texts] _ in texts.loader })
    resource.load()
    runtime.run()
    loads[0].fail(Broken("first"))
    runtime.run()
    #expect(resource.state == .failed(Broken("first")))
    resource.retry()
    runtime.run()
    loads[1].succeed(1)
    runtime.run()
    texts[0].fail(Broken("second"))
    runtime.run()
    #expect(resource.state == .failed(Broken("second")))
    #expect(texts.count == 1)
  }

  @Test func `a load that depends on a subscription gets its first value`() {
    let first = Loader(sequence: { AsyncStream { $0.yield(1) } })
    let resource = runtime.resource(first.flatMap { Loader.constant($0 * 10) })
    resource.load()
    runtime.run()
    #expect(resource.state == .loaded(10))
    #expect(resource.activity == nil)
  }

  @Test func `a cancelled load is not followed by the next one of its chain`() {
    let resource = runtime.resource(loads.loader.flatMap { [texts] _ in texts.loader })
    resource.load()
    runtime.run()
    resource.cancel()
    #expect(loads[0].isCancelled)
    loads[0].fail(CancellationError())
    runtime.run()
    #expect(texts.count == 0)
    #expect(resource.state == .idle)
  }

  // MARK: recover

  @Test func `a failed load is followed by another one, and its later signals are dropped`() {
    let resource = runtime.resource(loads.loader.recover { [loads] _ in loads.loader })
    resource.load()
    runtime.run()
    loads[0].output.yield(1)
    loads[0].fail(Broken())
    runtime.run()
    #expect(loads.count == 2)
    #expect(resource.state == .loaded(1))
    loads[0].output.yield(9)
    runtime.run()
    #expect(resource.state == .loaded(1))
    loads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    #expect(resource.currentFailure == nil)
  }

  @Test func `without another way to load, the error of the closure is thrown`() {
    let resource = runtime.resource(
      loads.loader.recover { error in throw Broken("no way after \(error)") })
    resource.load()
    runtime.run()
    loads[0].fail(Broken("a"))
    runtime.run()
    #expect(resource.state == .failed(Broken("no way after a")))
  }

  @Test func `a cancelled load is not recovered from`() {
    let resource = runtime.resource(loads.loader.recover { [loads] _ in loads.loader })
    resource.load()
    runtime.run()
    resource.cancel()
    loads[0].fail(CancellationError())
    runtime.run()
    #expect(loads.count == 1)
  }

  // MARK: map

  @Test func `a value that cannot be transformed is a failure`() {
    let resource = runtime.resource(texts.loader.map(Self.number))
    resource.load()
    runtime.run()
    texts[0].output.yield("1")
    runtime.run()
    #expect(resource.state == .loaded(1))
    texts[0].succeed("two")
    runtime.run()
    #expect(resource.failure?.error as? NoNumber == NoNumber(text: "two"))
    resource.retry()
    runtime.run()
    texts[1].succeed("3")
    runtime.run()
    #expect(resource.state == .loaded(3))
    #expect(resource.currentFailure == nil)
  }

  @Test func `a subscription ends with the first value that cannot be transformed`() {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let resource = runtime.resource(Loader(sequence: { stream }).map(Self.number))
    resource.load()
    runtime.run()
    continuation.yield("1")
    runtime.run()
    #expect(resource.activity?.phase == .live)
    continuation.yield("two")
    runtime.run()
    #expect(resource.activity == nil)
    #expect(resource.state == .loaded(1))
    #expect(resource.currentFailure?.error as? NoNumber == NoNumber(text: "two"))
  }

  // MARK: all

  @Test func `a subscription that only brings what cannot be transformed fails for good`() {
    let resource = runtime.resource(
      Loader(sequence: { AsyncStream { $0.yield("x") } }).map(Self.number)
        .retrying(limit: 2, backoff: .none))
    resource.load()
    runtime.run()
    #expect(resource.state == .failed(NoNumber(text: "x")))
    #expect(!resource.isLoading)
  }

  @Test func `what follows a failed subscription waits for the permit that it gave back`() {
    let limit = LoadLimit(1)
    let (other, number) = (ManualLoads<Int>(), ManualLoads<Int>())
    let followed = runtime.resource(
      loads.loader.recover { [other] _ in other.loader }.limited(by: limit))
    let later = runtime.resource(number.loader.limited(by: limit))
    followed.load()
    runtime.run()
    loads[0].output.yield(1)
    loads[0].context.send(.phase(.live))
    runtime.run()
    later.load()
    runtime.run()
    #expect(number.count == 1)
    loads[0].fail(Broken())
    runtime.run()
    #expect(other.count == 0)
    #expect(followed.activity?.phase == .waiting)
    number[0].succeed(2)
    runtime.run()
    #expect(other.count == 1)
    other[0].succeed(3)
    runtime.run()
    #expect(followed.state == .loaded(3))
  }

  @Test func `any number of loaders can be combined, and their values keep the order`() {
    let resource = runtime.resource(Loader.all((0..<3).map { _ in loads.loader }))
    resource.load()
    runtime.run()
    #expect(loads.count == 3)
    loads[2].succeed(2)
    loads[0].context.report(fraction: 0.5)
    runtime.run()
    #expect(resource.progress?.percent == 50)
    loads[0].succeed(0)
    loads[1].succeed(1)
    runtime.run()
    #expect(resource.state == .loaded([0, 1, 2]))
    let none = runtime.resource(Loader.all([Loader<Int>]()))
    none.load()
    runtime.run()
    #expect(none.state == .loaded([]))
  }

  @Test func `if one of many combined loaders fails, the others are cancelled`() {
    let resource = runtime.resource(Loader.all([loads.loader, loads.loader]))
    resource.load()
    runtime.run()
    loads[0].fail(Broken())
    runtime.run()
    #expect(loads[1].isCancelled)
    loads.end()
    runtime.run()
    #expect(resource.state == .failed(Broken()))
  }

  @Test func `a stale value that was only shown meanwhile does not make the new one old`() {
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(1), lifetime: .seconds(1_000))
    let numbers = loads.loader.cached(in: cache, key: 1)
    let first = runtime.resource(numbers)
    first.load()
    runtime.run()
    loads[0].succeed(1)
    runtime.advance(by: .seconds(100))
    let resource = Resource(
      numbers.flatMap { .constant($0) }, refreshing: Refreshing(staleAfter: .seconds(50)),
      clock: runtime.clock.any, scheduler: runtime.scheduler)
    resource.appear()
    runtime.run()
    loads[1].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded(2))
    #expect(resource.loadedAt == runtime.clock.now)
    resource.disappear()
    resource.appear()
    runtime.run()
    #expect(loads.count == 2)
  }

  @Test func `a value that is made of a cached one is as old as that`() {
    let cache = LoadCache<Int, Int>(staleAfter: .seconds(60), lifetime: .seconds(600))
    let number = Loader { 1 }.cached(in: cache, key: 1)
    let earlier = runtime.resource(number)
    earlier.load()
    runtime.run()
    runtime.advance(by: .seconds(5))
    let resource = runtime.resource(number.flatMap { .constant($0 + 1) })
    resource.appear()
    runtime.run()
    #expect(resource.state == .loaded(2))
    #expect(resource.loadedAt == earlier.loadedAt)
    resource.disappear()
  }

  @Test func `what replaces a failed subscription is loading until it has a value`() {
    let numbers = Loader<Int>(sequence: {
      AsyncThrowingStream<Int, any Error> { numbers in
        numbers.yield(1)
        numbers.finish(throwing: Broken())
      }
    })
    let resource = runtime.resource(
      numbers.recover { [loads] _ in loads.loader }.timeout(.seconds(5)))
    resource.load()
    runtime.run()
    #expect(resource.isLoading)
    runtime.advance(by: .seconds(5))
    #expect(resource.currentFailure?.error is LoadingError)
    loads.end()
  }

  @Test(arguments: [true, false])
  func `a value that is loaded last beside a subscription completes the combined value`(
    isPair: Bool
  ) {
    let (numbers, line) = AsyncStream.makeStream(of: Int.self)
    let parts = [Loader(sequence: { numbers }), loads.loader]
    let pair = Loader<(Int, Int)>.zip(parts[0], parts[1]).map { [$0.0, $0.1] }
    let resource = runtime.resource(isPair ? pair : Loader.all(parts))
    resource.appear()
    runtime.run()
    line.yield(1)
    runtime.run()
    #expect(resource.state == .loading)
    loads[0].succeed(2)
    runtime.run()
    #expect(resource.state == .loaded([1, 2]))
    #expect(resource.activity?.phase == .live)
    line.yield(3)
    runtime.run()
    #expect(resource.state == .loaded([3, 2]))
    line.finish()
    runtime.run()
  }

  @Test(arguments: [true, false])
  func `a combined subscription that ends without a value is no failure`(isPair: Bool) {
    let empty = Loader<Int>(sequence: { AsyncStream<Int> { $0.finish() } })
    let pair = Loader<(Int, Int)>.zip(empty, .constant(1)).map { [$0.0, $0.1] }
    let resource = runtime.resource(isPair ? pair : Loader.all([empty, .constant(1)]))
    resource.load()
    runtime.run()
    #expect(resource.state == .idle)
    #expect(resource.activity == nil)
  }

  @Test func `the progress of the other parts stays when one part is tried again`() {
    let part = loads.loader
    let resource = runtime.resource(
      Loader.all([part, part.retrying(limit: 2, backoff: .none)]))
    resource.load()
    runtime.run()
    #expect(resource.state == .loading)
    loads[0].context.report(fraction: 0.5)
    loads[1].context.report(fraction: 0.5)
    runtime.run()
    #expect(resource.progress?.percent == 50)
    loads[1].fail(Broken())
    runtime.run()
    #expect(loads.count == 3)
    #expect(resource.progress?.percent == 25)
    loads.end()
    runtime.run()
  }
}
