import Foundation

/// A program of this package that runs beside a test and writes lines.
public final class Child {
  private let process = Process()
  private let output = Pipe()
  private var text: [UInt8] = []

  /// Starts it.
  public init(_ program: String, _ arguments: [String], environment: [String: String]? = nil) throws
  {
    process.executableURL = URL(fileURLWithPath: builtProgram(program))
    process.arguments = arguments
    if let environment { process.environment = environment }
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // The end is seen only when nobody holds this side.
    try output.fileHandleForWriting.close()
  }

  /// The number of the process.
  public var id: pid_t { process.processIdentifier }

  /// Whether it has not ended yet.
  public var isRunning: Bool { process.isRunning }

  /// Waits until it has written this line.
  public func waitForLine(_ line: String) throws {
    while !lines.contains(line) {
      guard read() else {
        throw PseudoTerminal.Failure(description: "no line “\(line)” in \(lines.suffix(5))")
      }
    }
  }

  /// Waits until it ends, and returns its lines.
  public func finished() -> (status: Int32, lines: [String]) {
    while read() {}
    process.waitUntilExit()
    return (process.terminationStatus, lines)
  }

  /// Kills it without a warning, and returns what it had written.
  public func killed() -> [String] {
    kill(process.processIdentifier, SIGKILL)
    return finished().lines
  }

  private var lines: [String] {
    String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// False at the end.
  private func read() -> Bool {
    let bytes = output.fileHandleForReading.availableData
    text += bytes
    return !bytes.isEmpty
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }
}
