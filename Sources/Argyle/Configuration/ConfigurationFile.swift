import Foundation
import Limits

/// The configuration file.
struct ConfigurationFile: Hashable, Sendable {
  let path: String
  /// Whether the file may be missing, which means that every setting has its default.
  var mayBeMissing = false

  var isMissing: Bool { access(path, F_OK) != 0 }

  /// More than anyone writes, and small enough to be read at every start.
  private static let sizeLimit = 1 << 20

  /// Reads the file.
  ///
  /// - Throws: why it cannot be used, or every mistake in it.
  func read() throws(ConfigurationFailure) -> Configuration {
    guard let text = try text() else { return Configuration() }
    do {
      return try Configuration(toml: text)
    } catch {
      throw ConfigurationFailure(path: path, reason: .problems(error))
    }
  }

  /// Changes the file, if it has no mistakes; creates it if it is missing.
  ///
  /// - Returns: whether there was something to change.
  @discardableResult
  func change(_ edit: ConfigurationEdit) throws(ConfigurationFailure) -> Bool {
    let text = try text() ?? ""
    let edited: String?
    do {
      edited = try edit.applied(to: text)
    } catch {
      throw ConfigurationFailure(path: path, reason: .problems(error))
    }
    guard let edited else { throw ConfigurationFailure(path: path, reason: .notChangeable) }
    guard edited != text else { return false }
    try write(edited)
    return true
  }

  private func write(_ text: String) throws(ConfigurationFailure) {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    // If this fails, so does writing.
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
      try FileWriter.write(Array(text.utf8), to: path)
    } catch {
      throw ConfigurationFailure(path: path, reason: .unwritable(error.reason))
    }
  }

  /// Returns the text of the file; nil if it is missing and may be.
  private func text() throws(ConfigurationFailure) -> String? {
    let bytes: [UInt8]
    do {
      bytes = try FileReader.bytes(of: path, limit: Self.sizeLimit, acceptsPipes: true)
    } catch {
      if error == .missing, mayBeMissing { return nil }
      throw ConfigurationFailure(path: path, reason: .unreadable(error.reason))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let line = bytes.prefix(validUTF8Count(bytes)).count { $0 == 0x0A } + 1
      let problem = ConfigurationProblem(line: line, message: "the line is not in UTF-8")
      throw ConfigurationFailure(
        path: path, reason: .problems(ConfigurationProblems(all: [problem])))
    }
    return text
  }

  /// Returns the number of bytes before the first invalid UTF-8.
  private func validUTF8Count(_ bytes: [UInt8]) -> Int {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var count = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      count += UTF8.width(scalar)
    }
    return count
  }
}

/// Why a configuration file cannot be used.
struct ConfigurationFailure: Error, Hashable, Sendable {
  enum Reason: Hashable, Sendable {
    case unreadable(String)
    case unwritable(String)
    /// The setting is written in a way that only the user can change.
    case notChangeable
    case problems(ConfigurationProblems)
  }

  let path: String
  let reason: Reason

  /// The first mistake in one line, with the name of the file instead of its path, and how many
  /// there are besides.
  var summary: String {
    let name = printable((path as NSString).lastPathComponent)
    guard case .problems(let problems) = reason else { return "\(name): \(reason.words)" }
    guard let first = problems.all.first else { return name }
    let more = problems.all.count - 1
    return printable(first.text(file: name)) + (more > 0 ? " And \(more) more." : "")
  }

  /// All mistakes, one per line.
  var text: String {
    let path = printable(path)
    guard case .problems(let problems) = reason else { return "\(path): \(reason.words)" }
    return problems.all.map { printable($0.text(file: path)) }.joined(separator: "\n")
  }
}

extension ConfigurationFailure.Reason {
  /// The reason, for use after the name of the file; empty for mistakes in its lines.
  fileprivate var words: String {
    switch self {
    case .unreadable(let reason):
      "the file cannot be read: \(reason). Check its path and permissions."
    case .unwritable(let reason): "the file cannot be written: \(reason). Check its permissions."
    case .notChangeable: "only you can change this file. Make the change there by hand."
    case .problems: ""
    }
  }
}
