import Foundation
import Loading
import Testing

@Suite struct LoadingStateTests {
  @Test func `states are equal when their values are`() {
    #expect(LoadingState.loaded(1) == .loaded(1))
    #expect(LoadingState.loaded(1) != .loaded(2))
    #expect(LoadingState<Int>.idle == .idle)
    #expect(LoadingState<Int>.idle != .loading)
    #expect(LoadingState<Int>.loading(LoadingProgress(fraction: 0.1)) != .loading)
  }

  @Test func `errors are equal if they have the same type and description`() {
    struct Other: Error, CustomStringConvertible { let description = "broken" }
    #expect(LoadingState<Int>.failed(Broken("a")) == .failed(Broken("a")))
    #expect(LoadingState<Int>.failed(Broken("a")) != .failed(Broken("b")))
    #expect(LoadingState<Int>.failed(Broken("broken")) != .failed(Other()))
  }

  @Test func `a map changes only the value`() {
    #expect(LoadingState.loaded(2).map { $0 * 2 } == .loaded(4))
    #expect(LoadingState<Int>.idle.map { $0 * 2 } == .idle)
    #expect(LoadingState<Int>.failed(Broken()).map { $0 * 2 } == .failed(Broken()))
    #expect(throws: Broken.self) {
      try LoadingState.loaded(2).map { _ throws(Broken) -> Int in throw Broken() }
    }
  }

  @Test(arguments: [
    (-1.0, 0.0), (0.5, 0.5), (7.0, 1.0), (.infinity, 1.0), (-.infinity, 0.0),
  ])
  func `a fraction is clamped`(given: Double, kept: Double) {
    #expect(LoadingProgress(fraction: given).fraction == kept)
  }

  @Test func `a fraction that is not a number is unknown`() {
    #expect(LoadingProgress(fraction: .nan).fraction == nil)
    #expect(LoadingProgress(completed: 3, of: 0).fraction == nil)
    #expect(LoadingProgress(completed: 3, of: 20).percent == 15)
    #expect(LoadingProgress(fraction: 0.999).percent == 99)
  }

  @Test func `a number out of a hundred is that many percent`() {
    for count in 0...100 {
      #expect(LoadingProgress(completed: count, of: 100).percent == count)
    }
    #expect(LoadingProgress(fraction: 1.0.nextDown).percent == 99)
  }

  private final class ServerError: Error, CustomStringConvertible {
    let code: Int
    var description: String { "The server failed." }

    init(code: Int) { self.code = code }
  }

  private enum Refusal: Error, CustomStringConvertible {
    case full
    case closed
    var description: String { "No." }
  }

  @Test func `different errors with the same description are different states`() {
    let first = ServerError(code: 1)
    #expect(LoadingState<Int>.failed(first) == .failed(first))
    #expect(LoadingState<Int>.failed(first) != .failed(ServerError(code: 2)))
    #expect(LoadingState<Int>.failed(Refusal.full) == .failed(Refusal.full))
    #expect(LoadingState<Int>.failed(Refusal.full) != .failed(Refusal.closed))
    #expect(LoadingState<Int>.failed(Broken("a")) == .failed(Broken("a")))
    #expect(LoadingState<Int>.failed(Broken("No.")) != .failed(Refusal.full))
  }

  @Test func `errors of Foundation are compared by domain and code, not by object`() {
    func refusal(_ domain: String, _ code: Int) -> LoadingState<Int> {
      .failed(NSError(domain: domain, code: code))
    }
    #expect(refusal("server", 1) == refusal("server", 1))
    #expect(refusal("server", 1) != refusal("server", 2))
    #expect(refusal("server", 1) != refusal("disk", 1))
  }

  @MainActor private final class Counter {
    private var count = 0

    func next(failing: Bool) async throws -> Int {
      if failing { throw Broken() }
      count += 1
      return count
    }
  }

  @Test func `a cancelled load is no failure`() async {
    let state = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await LoadingState<Int> { () async throws -> Int in
        try Task.checkCancellation()
        return 1
      }
    }.value
    #expect(state == .idle)
  }

  @Test func `a state can be created from a function that returns or throws`() async {
    let counter = Counter()
    #expect(await LoadingState { try await counter.next(failing: false) } == .loaded(1))
    #expect(await LoadingState { try await counter.next(failing: true) } == .failed(Broken()))
  }
}
