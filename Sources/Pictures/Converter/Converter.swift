import Dispatch
import Loading
import Synchronization

/// Has pictures converted, one at a time, by a process that is started for the first of them and
/// kept; a new one takes its place when it crashes, hangs or talks nonsense.
///
/// The process ends with this object or with the program, and by itself when a minute has brought
/// no picture. While nothing is converted, nothing here wakes up but for its end.
final class Converter: Sendable {
  private let path: String
  private let patience: Int
  /// Its calls block: none of them belongs on a thread that others wait for.
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
  ///   - path: of the program `argyle-pictures`.
  ///   - patience: seconds without a picture after which the process ends by itself.
  init(path: String, patience: Int = 60) { (self.path, self.patience) = (path, patience) }

  deinit {
    guard let process = status.withLock({ $0.process }) else { return }
    queue.async { _ = process.end() }
  }

  /// What a test can see of it.
  struct Activity {
    /// The process, if one is running.
    var processID: Int32?
    /// How many processes were started.
    var startCount: Int
    /// Whether a process was given a picture that it has not answered yet.
    var isConverting: Bool
  }

  var activity: Activity {
    status.withLock {
      Activity(
        processID: $0.process?.id, startCount: $0.startCount, isConverting: $0.isConverting)
    }
  }

  /// Converts one picture; when the task is cancelled, its process does not go on with it.
  func convert(
    _ picture: [UInt8], for request: PictureRequest, limits: PictureLimits, clock: AnyClock
  ) async throws -> Answer {
    try await turns.withPlace {
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
    // Twice at most: a process that left for want of work, or was ended by somebody else, did not
    // end because of this picture.
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
        let isInnocent = fault == .gone || ending == .exited(status: 0)
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
  private func end(_ process: ConverterProcess) -> ProcessEnding {
    status.withLock { if $0.process === process { $0.process = nil } }
    return process.end()
  }
}
