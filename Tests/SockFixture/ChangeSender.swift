import Foundation
import HTTP
import Loading
import Socks
import Synchronization

/// A program that keeps numbered changes in a journal and sends them to a server, until it is killed
/// or all of them were sent.
///
/// Even numbers are kept by `MutationOutbox.keep`, odd ones by a mutation of a `Resource`, and so are
/// the odd ones that an earlier process has left.
@MainActor
struct ChangeSender {
  /// What the command line says.
  struct Options: Sendable {
    /// The directory of the journal.
    let directory: String
    /// The numbers of the changes to keep.
    let numbers: ClosedRange<Int>
    /// The address of the server.
    let server: String
    /// The number of this process, from which the server knows whose request it has.
    let process: Int
    /// The change after whose journal row the process does nothing but wait to be killed; nil if it
    /// never waits.
    let stop: Int?

    /// Returns nil unless there are six arguments: the properties, in order, with the first and the
    /// last number; 0 stands for no change to stop at.
    init?(_ arguments: ArraySlice<String>) {
      let arguments = Array(arguments)
      guard arguments.count == 6, let first = Int(arguments[1]), let last = Int(arguments[2]),
        first <= last, let process = Int(arguments[4]), let stop = Int(arguments[5])
      else { return nil }
      (directory, server, self.process) = (arguments[0], arguments[3], process)
      numbers = first...last
      self.stop = stop == 0 ? nil : stop
    }
  }

  private struct NotStored: Error {}

  private let handler: MutationOutbox.Handler<Int>
  private let outbox: MutationOutbox
  /// The numbers that a user of the program would see.
  private let shown = Resource<[Int]>(initialState: .loaded([]))
  private let say: @Sendable (String) -> Void

  /// Keeps and sends changes.
  ///
  /// Says `started`, `begin N` before a change, `saved N` when it has passed its commit point, and
  /// `done` when all changes were sent.
  static func run(_ options: Options, say: @escaping @Sendable (String) -> Void) async throws {
    let sender = try ChangeSender(options, say: say)
    try await sender.resume()
    say("started")
    for number in options.numbers {
      say("begin \(number)")
      if number.isMultiple(of: 2) {
        try await sender.outbox.keep(sender.handler, number, scope: scope(of: number))
      } else {
        try await sender.commit(number)
      }
      say("saved \(number)")
    }
    for mutation in sender.outbox.pending { try await sender.outbox.delivered(mutation.key) }
    for await update in sender.shown.updates() where update.pendingMutationCount == 0 { break }
    say("failed \(sender.outbox.failed.count + sender.shown.failedMutations.count)")
    say("done")
  }

  private init(_ options: Options, say: @escaping @Sendable (String) -> Void) throws {
    self.say = say
    let connection = Connection(to: options.server, process: options.process)
    handler = MutationOutbox.Handler("number") { try await connection.send($0, key: $1) }
    outbox = MutationOutbox(
      StoppingJournal(
        journal: try DrawerJournal(directory: options.directory), stop: options.stop, say: say),
      handlers: handler, attempts: 1_000, backoff: Backoff { _ in .milliseconds(1) })
  }

  /// Changes are sent in the order of their numbers within each of three scopes, whichever way they
  /// were kept.
  private static func scope(of number: Int) -> String { "\(number % 3)" }

  /// Begins to send what earlier processes have left.
  private func resume() async throws {
    try await outbox.start()
    for row in outbox.pending {
      guard let number = try handler.arguments(of: row), !number.isMultiple(of: 2) else { continue }
      shown.mutate(apply: { $0.append(number) }) { [outbox] in try await outbox.resume(row.key) }
    }
  }

  /// Keeps a change by a mutation, and returns once that has passed its commit point.
  private func commit(_ number: Int) async throws {
    let id = shown.mutate(apply: { $0.append(number) }) { [outbox, handler] in
      try await outbox.commit(handler, number, scope: Self.scope(of: number))
    }
    for await _ in shown.updates() {
      let mutation = shown.pendingMutations.first { $0.id == id }
      if mutation?.phase == .kept { return }
      // It may have been sent by now.
      if mutation == nil { break }
    }
    if shown.failedMutations.contains(where: { $0.id == id }) { throw NotStored() }
  }
}

/// Sends changes to a server, with a limit on the time that it waits for an answer.
private final class Connection: Sendable {
  private struct Refused: Error {}

  private let client = HTTPClient()
  private let server: String
  private let process: Int
  /// How often each change was sent.
  private let attempts = Mutex<[String: Int]>([:])

  init(to server: String, process: Int) {
    self.server = server
    self.process = process
  }

  func send(_ number: Int, key: String) async throws {
    let attempt = attempts.withLock { attempts in
      attempts[key, default: 0] += 1
      return attempts[key, default: 0]
    }
    var request = HTTPRequest(
      url: "\(server)/\(number)/\(process)/\(attempt)", headers: ["Idempotency-Key": key],
      body: HTTPRequest.Body([], type: "text/plain"))
    // Longer each time, so that the change arrives even if the machine is too slow for the first
    // limits.
    request.limits.total = .milliseconds(20 << min(attempt - 1, 8))
    guard try await client.send(request).status == 200 else { throw Refused() }
  }
}

/// A journal that does not return from writing one of its rows, so that the process can be killed
/// between the two.
private struct StoppingJournal: MutationJournal {
  let journal: DrawerJournal
  let stop: Int?
  let say: @Sendable (String) -> Void

  func mutations() async throws -> [MutationOutbox.Entry] { try await journal.mutations() }

  func append(_ mutation: MutationOutbox.Entry, replacing keys: [String]) async throws {
    try await journal.append(mutation, replacing: keys)
    guard let stop, mutation.arguments == "\(stop)" else { return }
    say("written \(stop)")
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  func update(_ key: String, to mutation: MutationOutbox.Entry) async throws {
    try await journal.update(key, to: mutation)
  }

  func remove(_ keys: [String]) async throws { try await journal.remove(keys) }
}
