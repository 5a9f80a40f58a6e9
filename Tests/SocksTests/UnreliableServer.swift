import Synchronization
import TestServer

/// A server that applies each change once, which it recognises by the key, and that is not killed with
/// the processes that send the changes.
///
/// It answers, loses a request or an answer, applies a change twice, or holds a request back, as its
/// seed decides. What comes next decides how long a request is held: further requests, another attempt
/// of the same change, or the end of the process that has sent it; never the time.
final class UnreliableServer: Sendable {
  private let server: TestServer
  private let state: Mutex<State>
  private let sprung = AsyncStream<Int>.makeStream()

  init(seed: UInt64) throws {
    let server = try TestServer()
    self.server = server
    state = Mutex(State(seed: seed))
    server.answer(TestServer.anyPath) { [weak self] recorded in
      guard let self, let request = ChangeRequest(recorded) else {
        return .whole("This is no change.", status: 400)
      }
      return self.receive(request)
    }
  }

  /// The address, without a slash at the end.
  var url: String { server.url("") }

  /// What was applied, and how often each kind of trouble occurred.
  var record: Record { state.withLock(\.record) }

  /// Treats a request of a process as the trap says, see ``trapped(process:)``.
  func set(_ trap: Trap, for process: Int) {
    state.withLock { $0.set(trap, for: process) }
  }

  /// Suspends until the trap for a process has got a request.
  ///
  /// - Throws: `CancellationError`, also when the test's time is over.
  func trapped(process: Int) async throws {
    for await other in sprung.stream where other == process { return }
    throw CancellationError()
  }

  /// Call it when a process has been killed and is gone.
  ///
  /// - Returns: how many requests of it, not applied yet, and how many answers to it were held.
  @discardableResult
  func processEnded(_ process: Int) -> (requests: Int, answers: Int) {
    let (counts, released) = state.withLock { state in
      let counts = state.heldCounts(of: process)
      return (counts, state.processEnded(process))
    }
    for path in released { server.release(path) }
    return counts
  }

  /// Applies what is still held.
  func applyEverythingHeld() {
    for path in state.withLock({ $0.applyEverythingHeld() }) { server.release(path) }
  }

  private func receive(_ request: ChangeRequest) -> Answer {
    let reaction = state.withLock { $0.receive(request) }
    for path in reaction.released { server.release(path) }
    if reaction.isTrapped { sprung.continuation.yield(request.process) }
    return switch reaction.answer {
    case .atOnce: Self.success
    case .connectionEnds: .empty
    case .later: Answer([.hold] + Self.success.steps)
    }
  }

  private static let success = Answer.whole("applied")
}

/// One attempt of a process to send a change.
struct ChangeRequest: Sendable {
  /// The number of the change.
  let number: Int
  /// The number of the process.
  let process: Int
  /// How often the process has sent the change, this time included.
  let attempt: Int
  /// The idempotency key.
  let key: String
  /// The path, which no other request has.
  let path: String

  /// Returns nil if the request is not one of the fixture's: `/CHANGE/PROCESS/ATTEMPT` with a key.
  init?(_ recorded: RecordedRequest) {
    let numbers = recorded.path.split(separator: "/").compactMap { Int($0) }
    guard numbers.count == 3, let key = recorded["Idempotency-Key"] else { return nil }
    (number, process, attempt) = (numbers[0], numbers[1], numbers[2])
    self.key = key
    path = recorded.path
  }
}

extension UnreliableServer {
  /// How the server treats a request.
  enum Conduct: Sendable {
    case answer
    /// Applies the change a second time, as a proxy does that repeats a request.
    case applyTwice
    /// Ends the connection before the change is applied.
    case loseRequest
    /// Ends the connection after the change was applied.
    case loseAnswer
    /// Never applies it in this attempt, and never answers.
    case ignore
    /// Applies the change and never answers.
    case applyInSilence
    /// Applies the change later, and answers then, to whoever is still there.
    case holdRequest(HeldUntil)
    /// Applies the change and answers later.
    case holdAnswer(HeldUntil)
  }

  /// How long a request or an answer is held.
  enum HeldUntil: Sendable {
    /// Until so many further requests of any change have come.
    case requests(Int)
    /// Until so many further attempts of the same change have come: the first one shows that the
    /// sender has given up waiting, or was killed.
    case attempts(Int)
    /// Until the sender was killed, and then so many attempts of the same change have come from other
    /// processes.
    case death(attempts: Int)
  }

  /// A request of a certain process that a test waits for.
  struct Trap: Sendable {
    /// How many requests of the process pass before.
    var passes = 0
    /// How the server treats the first request after them whose change is not applied yet.
    let conduct: Conduct
    /// Whether it treats all further requests of the process like that.
    var isForAll = false
  }

  /// What the server has applied, and which kinds of trouble there were.
  struct Record: Sendable {
    /// The changes that were applied, in order.
    var applied: [(number: Int, key: String)] = []
    /// How many requests there were.
    var requests = 0
    /// How many changes came again after they were applied, and were recognised by their keys.
    var repetitions = 0
    /// How many changes were applied by a request whose process was dead by then.
    var appliedAfterDeath = 0
    /// How many changes were applied and came again, late, by a request whose process was dead.
    var repeatedAfterDeath = 0
    /// How many changes were applied by a request that its process had given up.
    var appliedAfterGivingUp = 0
    /// How many changes came late, by a request that its process had given up, after they were
    /// applied.
    var repeatedAfterGivingUp = 0
    /// How many answers were sent late to a process that was alive and had not given up.
    var lateAnswers = 0

    /// The numbers of the changes that were applied, in order.
    var numbers: [Int] { applied.map(\.number) }
  }
}
