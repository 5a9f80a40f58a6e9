import Foundation

/// A folder that a reader of feeds keeps everything in, with the feeds it follows.
@MainActor
struct ReaderHome {
  let folder: String

  /// - Parameter addresses: nothing of them is fetched yet.
  init(_ name: String, following addresses: [String]) throws {
    folder = try Programs.get().folder + "/\(name)"
    // Another benchmark of the same run may have had one of that name.
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(
      atPath: folder + "/empty", withIntermediateDirectories: true)
    try (addresses.joined(separator: "\n") + "\n").write(
      toFile: folder + "/urls", atomically: false, encoding: .utf8)
    // As many at a time as its manual advises, nothing that is not asked for, and the keys of most
    // people's configurations: by itself it moves a selection by the arrows alone.
    try "reload-threads 4\nrefresh-on-startup no\nbind-key j down\nbind-key k up\n".write(
      toFile: folder + "/config", atomically: false, encoding: .utf8)
    _ = try CommandRun(argyle(["feeds", "import", "--newsboat", folder + "/urls"]))
    try FileManager.default.copyItem(atPath: store, toPath: folder + "/empty/argyle")
  }

  var store: String { folder + "/argyle" }

  /// Forgets everything that was fetched, in both readers.
  func forget() throws {
    try? FileManager.default.removeItem(atPath: folder + "/cache.db")
    try FileManager.default.removeItem(atPath: store)
    try FileManager.default.copyItem(atPath: folder + "/empty/argyle", toPath: store)
  }

  func argyle(_ arguments: [String] = []) -> Program {
    Program(
      name: "argyle", path: Programs.argylePath, arguments: arguments + ["--data-dir", store],
      environment: environment)
  }

  func newsboat(_ arguments: [String] = []) -> Program {
    Program(
      name: "newsboat", path: Peer.newsboat.path,
      arguments: [
        "-u", folder + "/urls", "-c", folder + "/cache.db", "-C", folder + "/config", "-q",
      ] + arguments, environment: environment)
  }

  var environment: [String: String] {
    ["TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": folder, "PATH": "/usr/bin:/bin"]
  }

  /// Fetches all feeds in both readers.
  func reload() throws {
    _ = try CommandRun(argyle(["reload"]))
    if Peer.newsboat.isThere { _ = try CommandRun(newsboat(["-x", "reload"])) }
  }
}

/// Programs of the distribution that do some of the same work.
enum Peer: String {
  case newsboat, w3m, lynx, less, curl

  var path: String { "/usr/bin/\(rawValue)" }

  var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

  /// A line for a table that is printed without it.
  var absence: String { "\(rawValue) is not installed: its column is empty" }

  /// What it says of itself, in a line.
  var version: String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = [self == .w3m ? "-version" : self == .newsboat ? "-v" : "--version"]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    guard (try? process.run()) != nil else { return rawValue }
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return String(text.split(separator: "\n").first?.prefix(40) ?? "")
  }
}
