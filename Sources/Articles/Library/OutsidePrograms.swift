/// Runs programs that the user's configuration names, never one named by a feed, a list or a
/// server.
public protocol OutsidePrograms: Sendable {
  /// Runs a program until it ends, and returns its output.
  ///
  /// Cancelling the task ends the program.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments; they are not passed through a shell.
  ///   - input: its standard input.
  /// - Throws: ``ProgramError``, or `CancellationError`.
  func output(of command: [String], input: [UInt8], limits: ProgramLimits) async throws -> [UInt8]
}

/// The limits of a program.
public struct ProgramLimits: Sendable, Hashable {
  public var time: Duration
  /// The largest output, in bytes.
  public var size: Int

  public init(time: Duration, size: Int) {
    self.time = time
    self.size = size
  }
}

/// Runs nothing.
public struct NoPrograms: OutsidePrograms {
  public init() {}

  public func output(
    of command: [String], input: [UInt8], limits: ProgramLimits
  ) async throws -> [UInt8] {
    throw ProgramError.notAllowed(command.first ?? "")
  }
}

/// Why a program failed.
public enum ProgramError: MessageError, Sendable, Hashable {
  /// The configuration does not name it.
  case notAllowed(String)
  case notStarted(String, reason: String)
  /// `errors` is the first line of its standard error.
  case failed(String, how: String, errors: String)
  case timedOut(String, limit: Duration)
  case tooLarge(String, limit: Int)

  public var message: UserMessage {
    switch self {
    case .notAllowed(let name):
      UserMessage(
        what: "The program is not allowed by the configuration file.",
        advice: "Name it there in a table [[exec]].", detail: name, isLasting: true)
    case .notStarted(let program, let reason):
      UserMessage(
        what: "The program could not be started.", advice: "Check its name and its permissions.",
        detail: "\(program): \(reason)")
    case .failed(let program, let how, let errors):
      UserMessage(
        what: "The program failed" + (errors.isEmpty ? "." : ": \(Self.sentence(errors))"),
        advice: "Run it by hand to see why.",
        detail: "\(program) \(how)" + (errors.isEmpty ? "" : ": \(errors)"))
    case .timedOut(let program, let limit):
      UserMessage(
        what: "The program did not end within \(limit.components.seconds) s.",
        advice: "Run it by hand to see why.", detail: program)
    case .tooLarge(let program, let limit):
      UserMessage(
        what: "The program wrote more than \(max(1, limit >> 20)) MB.",
        advice: "Let it write less.", detail: program)
    }
  }

  /// What a program said, cleaned, and with a stop at its end.
  private static func sentence(_ text: String) -> String {
    let cleaned = UserMessage.cleaned(text)
    return cleaned.last?.isPunctuation == true ? cleaned : cleaned + "."
  }
}
