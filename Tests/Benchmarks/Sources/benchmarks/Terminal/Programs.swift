import Foundation

/// What is measured on a terminal, ready to be started: ours, which are built already, and the
/// peers, which are compiled here.
@MainActor
struct Programs {
  private static var made: Programs?

  /// Where everything made for a run lies.
  let folder: String
  private let spinnersPath: String
  private let peers: [String: String]

  /// Made at the first use, and the same for every benchmark of a run.
  static func get() throws -> Programs {
    if let made { return made }
    let new = try Programs()
    made = new
    return new
  }

  /// Removes what was made for a run.
  static func cleanUp() {
    guard let made else { return }
    try? FileManager.default.removeItem(atPath: made.folder)
  }

  private init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/argyle-benchmarks-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    spinnersPath = try Self.sibling("spinners")
    guard FileManager.default.isExecutableFile(atPath: Self.argylePath) else {
      throw HarnessError.wrong("\(Self.argylePath) is missing: run make build first")
    }
    var peers: [String: String] = [:]
    let curses = ["-lncursesw", "-ltinfo"]
    let linked = ["-DLINKED", "-I/usr/include/libxml2", "-lcurl", "-lxml2", "-lgumbo"]
    for (name, source, options) in [
      ("bare list", "articles.c", ["-lsqlite3"]),
      ("linked list", "articles.c", ["-lsqlite3"] + linked),
      ("bare spinners", "spinners.c", []),
    ] {
      let path = folder + "/" + name.replacing(" ", with: "-")
      // Not by the package: it links C programs to Swift's libraries too. Swift comes with clang.
      try Self.run(
        "/usr/bin/env",
        ["clang", "-O2", "-Wall", "-o", path, Self.peer(source)] + options + curses)
      peers[name] = path
    }
    self.peers = peers
  }

  // MARK: Programs

  func argyle(_ store: Store) -> Program {
    program("argyle", Self.argylePath, ["--data-dir", store.folder])
  }

  func drawer(in directory: String) -> Program {
    program("argyle", Self.argylePath, ["--data-dir", directory])
  }

  func bareList(_ store: Store) -> Program {
    program("C", peers["bare list"] ?? "", [store.file])
  }

  /// The same, linked to the libraries that argyle uses: to libcurl too, which argyle loads when it
  /// is needed.
  func linkedList(_ store: Store) -> Program {
    program("C, linked", peers["linked list"] ?? "", [store.file])
  }

  /// Ours, the peer, and the peer that is linked to the same libraries.
  func readers(of store: Store) -> [Program] {
    [argyle(store), bareList(store), linkedList(store)]
  }

  func spinners(_ count: Int) -> Program {
    program("TerminalUI", spinnersPath, [String(count)])
  }

  /// Draws at each turn all of the screen, or nothing but the cells that turn.
  func bareSpinners(_ count: Int, drawsAll: Bool) -> Program {
    program("C", peers["bare spinners"] ?? "", [String(count), drawsAll ? "all" : "cells"])
  }

  func gallery(_ cells: Int) -> Program {
    program("argyle", Self.argylePath, ["demo", "gallery", "--cells", String(cells)])
  }

  /// A program of somebody else.
  func other(_ name: String, _ path: String, _ arguments: [String]) -> Program {
    program(name, path, arguments)
  }

  /// A script of an interpreter.
  func script(
    _ name: String, _ interpreter: String, _ path: String, _ arguments: [String]
  ) -> Program {
    program(name, interpreter, [path] + arguments)
  }

  private func program(_ name: String, _ path: String, _ arguments: [String]) -> Program {
    Program(name: name, path: path, arguments: arguments, environment: environment)
  }

  private var environment: [String: String] {
    ["TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": folder, "PATH": "/usr/bin:/bin"]
  }

  /// The path of a program of this package, which is built with this one.
  static func sibling(_ name: String) throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return (own as NSString).deletingLastPathComponent + "/" + name
  }

  // MARK: Stores

  /// A store of articles, and the word that its first row begins with.
  struct Store {
    let folder: String
    let first: String
    var file: String { folder + "/articles.sqlite" }
  }

  private static var stores: [Int: Store] = [:]

  /// A store that argyle itself has filled from a feed.
  func store(articles count: Int) throws -> Store {
    if let store = Self.stores[count] { return store }
    let file = try feed(articles: count)
    let store = Store(
      folder: folder + "/store-\(count)", first: SampleFeed(count: count).name(0))
    try Self.run(Self.argylePath, ["feeds", "add", "--data-dir", store.folder, file])
    Self.stores[count] = store
    return store
  }

  /// A store with some feeds of some articles each.
  func store(feeds: Int, articles: Int) throws -> Store {
    let first = SampleFeed(count: articles).name(0)
    let store = Store(folder: folder + "/store-\(feeds)-\(articles)", first: first)
    for number in 0..<feeds {
      let file = try feed(articles: articles, title: "Feed \(number) to measure with")
      try Self.run(Self.argylePath, ["feeds", "add", "--data-dir", store.folder, file])
    }
    return store
  }

  /// The path of a feed, which is written if there is none.
  func feed(articles count: Int, title: String = SampleFeed.feedTitle) throws -> String {
    let file = folder + "/feed-\(title.hashValue)-\(count).xml"
    try SampleFeed(count: count, feedTitle: title).xml
      .write(toFile: file, atomically: false, encoding: .utf8)
    return file
  }

  static func run(_ path: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw HarnessError.wrong(
        "\(([path] + arguments).joined(separator: " ")) ended with \(process.terminationStatus)")
    }
  }

  private static let package = (1...4).reduce(#filePath) { path, _ in
    (path as NSString).deletingLastPathComponent
  }

  /// The source of a peer.
  static func peer(_ name: String) -> String { package + "/Peers/" + name }

  static let buildFolder = package + "/../../.build"

  static let argylePath = buildFolder + "/release/argyle"
}
