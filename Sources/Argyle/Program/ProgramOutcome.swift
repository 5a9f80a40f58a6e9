import Foundation
import Pictures

/// The outcome of running a program of the user's.
struct ProgramOutcome: Sendable {
  enum End: Sendable {
    case notStarted(ChildProcess.Failure)
    /// How the program ended, with the first line of its standard error unless that went to the
    /// terminal.
    case ended(ChildProcess.Ending, errors: String?)
  }

  let program: String
  let end: End
  /// How long it ran.
  var time = Duration.zero

  /// Whether the program did not start, or soon ended with an error.
  ///
  /// Many programs also end with an error when the user ends them.
  var failedSoon: Bool {
    switch end {
    case .notStarted: true
    case .ended(.status(let status), _): status != 0 && time < Self.soon
    case .ended(.signal, _): false
    }
  }

  private static let soon = Duration.seconds(10)

  /// Returns what went wrong; nil if nothing did.
  ///
  /// - Parameter name: what the user calls the program.
  func words(_ name: String) -> String? {
    switch end {
    case .ended(.status(0), _): return nil
    case .ended(.status(let status), let errors):
      let reason = errors.map { ": \(shortTitle($0))" } ?? "."
      return "“\(name)” ended with status \(status)\(reason)"
    case .ended(.signal(let signal), _): return "“\(name)” was ended by signal \(signal)."
    case .notStarted(let failure):
      let reason = String(cString: strerror(failure.code))
      return "“\(program)” could not be started (\(reason))."
    }
  }
}

extension OutsideCommand {
  /// Runs the program until it ends.
  ///
  /// Runs off the main actor, since the input is written to a file first.
  ///
  /// - Parameters:
  ///   - input: the program's standard input; nil for none, or for the terminal.
  ///   - hasTerminal: whether the program gets the terminal while it runs.
  @concurrent
  func run(
    _ arguments: [String], reading input: String?, hasTerminal: Bool = false
  ) async -> ProgramOutcome {
    let own: ChildProcess.Stream = hasTerminal ? .inherited : .nothing
    do throws(ChildProcess.Failure) {
      let file = try input.map { text throws(ChildProcess.Failure) in
        try ChildProcess.namelessFile(Array(text.utf8))
      }
      defer { if let file { close(file) } }
      let errors = hasTerminal ? nil : try ChildProcess.outputPipe()
      defer { if let errors { close(errors) } }
      let child = try ChildProcess.start(
        program, arguments, input: file.map { .descriptor($0) } ?? own, output: own,
        errors: errors.map { .descriptor($0) } ?? own, hasTerminal: hasTerminal)
      let start = ContinuousClock.now
      let ending = await ChildProcess.end(of: child)
      return ProgramOutcome(
        program: program, end: .ended(ending, errors: errors.flatMap(ChildProcess.firstLine(in:))),
        time: start.duration(to: .now))
    } catch {
      return ProgramOutcome(program: program, end: .notStarted(error))
    }
  }
}
