import Foundation

/// The configuration file.
struct ConfigurationFile: Hashable, Sendable {
  let path: String
  /// Whether it may be missing, which means that nothing is set.
  var mayBeMissing = false

  /// More than anybody writes, and few enough to be read at every start.
  private static let sizeLimit = 1 << 20

  /// - Throws: why it cannot be used, or all that is wrong in it.
  func read() throws(ConfigurationFailure) -> Configuration {
    guard let text = try text() else { return Configuration() }
    do {
      return try Configuration(toml: text)
    } catch {
      throw ConfigurationFailure(path: path, reason: .problems(error))
    }
  }

  /// Changes it, where it can be read as it is; one that is missing is made.
  func change(_ edit: ConfigurationEdit) throws(ConfigurationFailure) {
    let text = try text() ?? ""
    let edited: String?
    do {
      edited = try edit.applied(to: text)
    } catch {
      throw ConfigurationFailure(path: path, reason: .problems(error))
    }
    guard let edited else { throw ConfigurationFailure(path: path, reason: .notChangeable) }
    guard edited != text else { return }
    try write(edited)
  }

  /// Replaces the file in one step, so that no reader sees half of it.
  private func write(_ text: String) throws(ConfigurationFailure) {
    // Replaces the target of a symbolic link, not the link.
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    var status = stat()
    let isThere = stat(target.path, &status) == 0
    // Renaming a file over it would succeed although the file is read-only.
    guard !isThere || access(target.path, W_OK) == 0 else {
      throw ConfigurationFailure(
        path: path, reason: .unwritable(String(cString: strerror(errno))))
    }
    do {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: target, options: .atomic)
    } catch {
      throw ConfigurationFailure(path: path, reason: .unwritable("its folder cannot be written to"))
    }
    chmod(target.path, isThere ? status.st_mode & 0o777 : 0o644)
  }

  /// Its text; nil where there is none and none is needed.
  private func text() throws(ConfigurationFailure) -> String? {
    // Read by the system's own calls: Foundation does not say why a file cannot be opened.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      if code == ENOENT || code == ENOTDIR, mayBeMissing { return nil }
      throw ConfigurationFailure(path: path, reason: .unreadable(String(cString: strerror(code))))
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var bytes = Data()
    do {
      while bytes.count <= Self.sizeLimit, let more = try handle.read(upToCount: 1 << 16),
        !more.isEmpty
      {
        bytes += more
      }
    } catch {
      throw ConfigurationFailure(path: path, reason: .unreadable("it is not a file"))
    }
    guard bytes.count <= Self.sizeLimit else {
      throw ConfigurationFailure(path: path, reason: .unreadable("it is too large"))
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let line = bytes.prefix(validUTF8Count(bytes)).count { $0 == 0x0A } + 1
      let problem = ConfigurationProblem(line: line, message: "the line is not in UTF-8")
      throw ConfigurationFailure(
        path: path, reason: .problems(ConfigurationProblems(all: [problem])))
    }
    return text
  }

  /// How many bytes there are before the first that is no UTF-8.
  private func validUTF8Count(_ bytes: Data) -> Int {
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

  /// The first thing that is wrong, in a line, with the name of the file alone.
  var summary: String {
    let name = printable((path as NSString).lastPathComponent)
    guard case .problems(let problems) = reason else { return "\(name): \(reason.words)" }
    return problems.all.first.map { printable($0.text(file: name)) } ?? name
  }

  /// A line for everything that is wrong.
  var text: String {
    let path = printable(path)
    guard case .problems(let problems) = reason else { return "\(path): \(reason.words)" }
    return problems.all.map { printable($0.text(file: path)) }.joined(separator: "\n")
  }
}

extension ConfigurationFailure.Reason {
  /// What it is, after the name of the file, unless it is mistakes in lines of it.
  fileprivate var words: String {
    switch self {
    case .unreadable(let reason): "the file cannot be read: \(reason)."
    case .unwritable(let reason): "the file cannot be written: \(reason)."
    case .notChangeable: "this file can only be changed by hand."
    case .problems: ""
    }
  }
}
