import Dispatch
import Foundation
import Loading
import Synchronization

/// Converts pictures, one at a time, in a process that is started for the first picture and reused;
/// it is replaced when it crashes, hangs or sends invalid answers.
///
/// The process ends with this object or with the program, and by itself after a minute without a
/// picture. While nothing is converted, only the end of the process wakes this one.
final class Converter: Sendable {
  private let path: String
  private let patience: Int
  /// The calls block, so they run on a queue of their own.
  private let queue = DispatchQueue(label: "pictures, converting", qos: .utility)
  private let turns = LoadLimit(1)
  private let status = Mutex(Status())

  private struct Status {
    var process: ConverterProcess?
    var lastID: UInt32 = 0
    var startCount = 0
    var isConverting = false
  }

  /// - Parameters:
  ///   - path: the path of the program `argyle-pictures`.
  ///   - patience: after how many seconds without a picture the process ends by itself.
  init(path: String, patience: Int = 60) { (self.path, self.patience) = (path, patience) }

  deinit {
    guard let process = status.withLock({ $0.process }) else { return }
    queue.async { _ = process.end() }
  }

  /// The state that tests observe.
  struct Activity {
    /// The running process, if any.
    var processID: Int32?
    /// How many processes were started.
    var startCount: Int
    /// Whether a process is converting a picture.
    var isConverting: Bool
  }

  var activity: Activity {
    status.withLock {
      Activity(
        processID: $0.process?.id, startCount: $0.startCount, isConverting: $0.isConverting)
    }
  }

  /// Converts one picture; cancelling the task ends the process that is converting it.
  func convert(
    _ picture: [UInt8], for request: PictureRequest, limits: PictureLimits, clock: AnyClock
  ) async throws -> Answer {
    try await turns.withPermit {
      let id = self.status.withLock { status in
        status.lastID &+= 1
        return status.lastID
      }
      let exchange = Exchange(
        message: RequestMessage.bytes(id: id, request, picture: picture, limits: limits),
        answerLimit: AnswerMessage.maximumLength(for: request))
      let answer = try await withDeadline(limits.time, clock: clock) {
        try await self.run(exchange)
      }
      return Answer(bytes: answer, id: id)
    }
  }

  struct Answer: Sendable {
    let bytes: [UInt8]
    let id: UInt32
  }

  private func run(_ exchange: Exchange) async throws -> [UInt8] {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        queue.async {
          continuation.resume(with: Result { try self.runNow(exchange) })
        }
      }
    } onCancel: {
      exchange.cancel()
    }
  }

  // MARK: On the queue

  private func runNow(_ exchange: Exchange) throws -> [UInt8] {
    defer { status.withLock { $0.isConverting = false } }
    // Two attempts at most: a process that ended because it was idle, or was killed, did not end
    // because of this picture.
    for isLastTry in [false, true] {
      let process = try runningProcess()
      guard exchange.begin(with: process) else { throw CancellationError() }
      status.withLock { $0.isConverting = true }
      do {
        let answer = try process.exchange(exchange.message, answerLimit: exchange.answerLimit)
        if exchange.finish() { return answer }
        end(process)
        throw CancellationError()
      } catch let fault as ConverterProcess.Fault {
        let ending = end(process)
        if !exchange.finish() { throw CancellationError() }
        if fault == .babble { throw PictureError.invalidAnswer }
        let isInnocent = fault == .gone || ending == .status(0)
        if !isInnocent || isLastTry { throw PictureError.converterEnded(ending) }
      }
    }
    throw PictureError.invalidAnswer
  }

  private func runningProcess() throws -> ConverterProcess {
    if let process = status.withLock({ $0.process }) { return process }
    let process = try ConverterProcess(path: path, patience: patience, queue: queue) {
      [weak self] process in
      self?.end(process)
    }
    status.withLock { status in
      status.process = process
      status.startCount += 1
    }
    return process
  }

  @discardableResult
  private func end(_ process: ConverterProcess) -> ChildProcess.Ending {
    status.withLock { if $0.process === process { $0.process = nil } }
    return process.end()
  }
}

/// Returns the result of `work`, which is cancelled when it takes longer than `limit`.
///
/// - Throws: `PictureError.tookTooLong`, or the error of `work`.
func withDeadline<Value: Sendable>(
  _ limit: Duration, clock: AnyClock, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    defer { group.cancelAll() }
    group.addTask(operation: work)
    group.addTask {
      try await clock.sleep(until: clock.now.advanced(by: limit))
      throw PictureError.tookTooLong(limit)
    }
    guard let value = try await group.next() else { throw CancellationError() }
    return value
  }
}

/// Finds the program `argyle-pictures`.
public enum ConverterLocation {
  static let name = "argyle-pictures"

  /// Returns the path of the program: beside the running program, as after a build, or in
  /// `libexec/argyle` beside the folder of programs, as in an installation.
  ///
  /// - Returns: the first path with an executable; the first candidate if there is none.
  public static func beside(_ program: String? = Bundle.main.executablePath) -> String {
    // A symbolic link, for example in a `bin` folder, leads to the installation.
    let program = URL(fileURLWithPath: program ?? "/").resolvingSymlinksInPath()
    let folder = program.deletingLastPathComponent()
    let places = [
      folder.appendingPathComponent(name),
      folder.deletingLastPathComponent().appendingPathComponent("libexec/argyle/\(name)"),
    ].map(\.path)
    return places.first { isProgram($0) } ?? places[0]
  }

  static func isProgram(_ path: String) -> Bool { access(path, X_OK) == 0 }
}
