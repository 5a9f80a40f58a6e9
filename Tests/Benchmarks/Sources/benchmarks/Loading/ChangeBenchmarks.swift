import Loading
import Observation
import OpenCombine

/// State changes on the main actor: one is over when every observer has seen it.
extension LoadingBenchmarks {
  static func changes() async throws -> Table {
    var table = Table.ofPeers
    for (observers, changes) in [(1, 20_000), (1_000, 100)] {
      let rounds = try await Rounds(
        7,
        [
          Contender(name: "resource") { await tracked(changes, observers, Resource<Int>()) },
          Contender(name: "observable") { await tracked(changes, observers, Model()) },
          Contender(name: "subject") { await sunk(changes, observers) },
        ])
      table.compare("observation, \(observers)", rounds, changes: changes, isAlike: false)
    }
    for (observers, changes) in [(1, 5_000), (1_000, 50)] {
      let rounds = try await Rounds(
        7,
        [
          Contender(name: "resource") { await streamed(changes, observers, Resource<Int>()) },
          Contender(name: "observable") { await streamed(changes, observers, Model()) },
          Contender(name: "subject") {
            await streamed(changes, observers, Subject(.idle))
          },
        ])
      table.compare("stream, \(observers)", rounds, changes: changes)
    }
    table.note("observation: withObservationTracking, armed at each change; OpenCombine: sink")
    table.note("not alike: a sink is handed each value inside send, is never armed again and does")
    table.note("not know what was read; what delivers as a resource does is the stream")
    table.note("stream: a task each on states(), on Observations, on .values")
    return table
  }

  /// Seconds for changes that observers are told of and look at.
  private static func tracked(
    _ changes: Int, _ observers: Int, _ subject: some Changing
  ) async -> Double {
    let watchers = (0..<observers).map { _ in Watcher() }
    var sum = 0
    for watcher in watchers { sum += watcher.look { subject.state.value } }
    let time = await seconds {
      for change in 1...changes {
        subject.change(to: .loaded(change))
        for watcher in watchers { sum += watcher.look { subject.state.value } }
      }
    }
    precondition(sum == observers * changes * (changes + 1) / 2, "A change was not seen")
    return time
  }

  private static func sunk(_ changes: Int, _ observers: Int) async -> Double {
    let subject = Subject(.idle)
    var sum = 0
    let sinks = (0..<observers).map { _ in subject.sink { sum += $0.value ?? 0 } }
    let time = await seconds {
      for change in 1...changes { subject.send(.loaded(change)) }
    }
    sinks.forEach { $0.cancel() }
    precondition(sum == observers * changes * (changes + 1) / 2, "A change was not seen")
    return time
  }

  /// Seconds for changes that come out of as many streams as there are observers.
  private static func streamed(
    _ changes: Int, _ observers: Int, _ subject: some Changing
  ) async -> Double {
    let arrivals = Arrivals()
    var tasks: [Task<Void, Never>] = []
    await arrivals.wait(for: observers) {
      tasks = (0..<observers).map { _ in Task { await subject.forEachState { arrivals.note() } } }
    }
    let time = await seconds {
      for change in 1...changes {
        await arrivals.wait(for: observers) { subject.change(to: .loaded(change)) }
      }
    }
    for task in tasks { task.cancel() }
    return time
  }
}

/// Something with a state that can be set and followed.
@MainActor
protocol Changing: AnyObject {
  var state: LoadingState<Int> { get }
  func change(to state: LoadingState<Int>)
  func forEachState(_ body: () -> Void) async
}

extension Resource<Int>: Changing {
  func change(to state: LoadingState<Int>) { set(state) }

  func forEachState(_ body: () -> Void) async {
    for await _ in states() { body() }
  }
}

extension Model: Changing {
  func change(to state: LoadingState<Int>) { self.state = state }

  func forEachState(_ body: () -> Void) async {
    for await _ in Observations({ self.state }) { body() }
  }
}

extension Subject: Changing {
  var state: LoadingState<Int> { value }

  func change(to state: LoadingState<Int>) { send(state) }

  func forEachState(_ body: () -> Void) async {
    for await _ in values { body() }
  }
}

extension Table {
  /// We beside the floor and the peer.
  static var ofPeers: Table {
    Table(
      "", "resource", "@Observable", "OpenCombine", "to @Observable", "aim", "to OpenCombine",
      "aim")
  }

  /// One row; `isAlike` says whether the peer does what the resource does.
  mutating func compare(_ name: String, _ rounds: Rounds, changes: Int, isAlike: Bool = true) {
    let (floor, peer) = (rounds.ratio(0, to: 1), rounds.ratio(0, to: 2))
    let toFloor = judge(
      "\(name), to @Observable", floor, .ratio, by: Aim(limit: isAlike ? 1.5 : 1.3))
    let toPeer =
      isAlike ? judge("\(name), to OpenCombine", peer, .ratio, by: Aim(limit: 1)) : "not alike"
    row(
      [name]
        + rounds.names.indices.map { Unit.perSecond.text(Double(changes) / rounds.median($0)) }
        + [Unit.ratio.text(floor), toFloor, Unit.ratio.text(peer), toPeer])
  }
}
