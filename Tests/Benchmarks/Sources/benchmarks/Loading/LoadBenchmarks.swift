import Loading
import OpenCombine
import Synchronization

/// Whole loads: started on the main actor, run off it, and seen on it by one observer.
extension LoadingBenchmarks {
  static func loads() async throws -> Table {
    var table = Table.ofPeers
    let count = 2_000
    let oneByOne = try await Rounds(
      7,
      [
        Contender(name: "resource") {
          let resource = Resource(Loader { _ in await work() })
          return try await observed({ resource.state.value }) {
            for _ in 0..<count { _ = await resource.refresh() }
          }
        },
        Contender(name: "observable") {
          let model = Model()
          return try await observed({ model.state.value }) {
            for _ in 0..<count { await model.load().value }
          }
        },
        Contender(name: "subject") {
          let subject = Subject(.idle)
          let follower = subject.followed()
          defer { follower.cancel() }
          return await seconds { for _ in 0..<count { await subject.load().value } }
        },
      ])
    table.compare("loads, one after the other", oneByOne, changes: count)

    // A round takes a few milliseconds, which a slow moment of the machine can cover several times.
    let atOnce = try await Rounds(
      51,
      [
        Contender(name: "resource") {
          let resources = (0..<count).map { _ in Resource(Loader { _ in await work() }) }
          return await seconds {
            for resource in resources { resource.load() }
            for resource in resources { _ = await resource.settled() }
          }
        },
        Contender(name: "observable") {
          let models = (0..<count).map { _ in Model() }
          return await seconds { for task in models.map({ $0.load() }) { await task.value } }
        },
        Contender(name: "subject") {
          let subjects = (0..<count).map { _ in Subject(.idle) }
          return await seconds { for task in subjects.map({ $0.load() }) { await task.value } }
        },
      ])
    table.compare("loads, 2,000 at once", atOnce, changes: count)

    let values = 20_000
    let yielded = try await Rounds(
      7,
      [
        Contender(name: "resource") {
          let resource = Resource(
            Loader { _, output in
              for value in 1..<values {
                output.yield(value)
                // Not faster than it is taken: what waits is bounded, and would be dropped.
                if value % 64 == 0 { await MainActor.run {} }
              }
              return values
            })
          return try await observed({ resource.state.value }) {
            _ = await resource.refresh()
          }
        },
        Contender(name: "observable") {
          let model = Model()
          return try await observed({ model.state.value }) {
            await Task.detached {
              for value in 1...values { await MainActor.run { model.state = .loaded(value) } }
            }.value
          }
        },
        Contender(name: "subject") {
          let model = SubjectModel()
          let follower = model.subject.followed()
          defer { follower.cancel() }
          return await seconds {
            await Task.detached {
              for value in 1...values { await MainActor.run { model.subject.send(.loaded(value)) } }
            }.value
          }
        },
      ])
    table.compare("values of one load", yielded, changes: values)
    table.note("@Observable, OpenCombine: a task that sets loading, works off the main actor, sets")
    table.note("and neither cancels, joins, retries, tells progress or drops an older answer")
    table.note("each is followed in turns of its own: by observation, OpenCombine by .values")
    return table
  }

  /// Seconds that `body` takes while an observer reads each change of a number.
  private static func observed(
    _ read: @escaping @MainActor () -> Int?, _ body: @MainActor () async throws -> Void
  ) async throws -> Double {
    let follower = Follower(read)
    follower.look()
    return try await seconds(body)
  }
}

/// What a load does: next to nothing, off the main actor.
///
/// Nothing at all would not do: where the compiler sees that, it leaves the switch to another
/// thread out, which is most of what a load costs its peers.
@concurrent @inline(never)
private func work() async -> Int { works.add(1, ordering: .relaxed).newValue }

private let works = Atomic(0)

/// Looks again, as a view does, in the turn after a change.
@MainActor
private final class Follower {
  private let watcher = Watcher()
  private let read: @MainActor () -> Int?
  private(set) var sum = 0

  init(_ read: @escaping @MainActor () -> Int?) { self.read = read }

  func look() {
    sum += watcher.look(read) { [weak self] in
      Task { @MainActor in self?.look() }
    }
  }
}

@MainActor
private final class SubjectModel {
  let subject = Subject(.idle)
}

extension Model {
  fileprivate func load() -> Task<Void, Never> {
    state = .loading
    return Task { state = .loaded(await work()) }
  }
}

extension Subject {
  @MainActor
  fileprivate func load() -> Task<Void, Never> {
    send(.loading)
    return Task { send(.loaded(await work())) }
  }

  /// Looks at what is sent in turns of its own, as every observer does.
  @MainActor
  fileprivate func followed() -> Task<Int, Never> {
    Task {
      var sum = 0
      for await state in values { sum += state.value ?? 0 }
      return sum
    }
  }
}
