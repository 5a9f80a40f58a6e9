import Foundation
import HTTP
import Loading
import Pictures

/// A picture to cells, beside the `chafa` command with the same files, size and symbols.
@MainActor
enum PictureBenchmarks {
  static let all = [
    Benchmark(name: "pictures/next", title: "a picture after others, 80×24 cells", run: next),
    Benchmark(
      name: "pictures/first", title: "the first picture, with the start of the converter",
      run: first),
  ]

  private static let files = ["icon.png", "drawing.png", "drawing.gif", "photo.webp", "photo.jpg"]

  private static func next() async throws -> Table {
    let library = library()
    return try await compare { try await load($0, from: library) }
  }

  private static func first() async throws -> Table {
    try await compare { try await load($0, from: library()) }
  }

  private static func compare(
    _ ours: @escaping @MainActor (_ path: String) async throws -> Void
  ) async throws -> Table {
    var table = Table("", "argyle", "chafa", "to chafa", "aim")
    guard let chafa = ChafaCommand() else {
      table.note("skipped: there is no chafa command (Debian's package chafa)")
      return table
    }
    for file in files {
      let path = folder + "/" + file
      let rounds = try await Rounds(
        15,
        [
          Contender(name: "argyle") { try await seconds { try await ours(path) } },
          Contender(name: "chafa") { try await seconds { try chafa.show(path) } },
        ])
      let ratio = rounds.ratio(0, to: 1)
      table.row(
        [file] + (0..<2).map { Unit.seconds.text(rounds.median($0)) } + [Unit.ratio.text(ratio)],
        judging: ratio, .ratio, by: Aim(limit: 1.2))
    }
    return table
  }

  private static func library() -> PictureLibrary {
    PictureLibrary(client: HTTPClient(), converterPath: converterPath)
  }

  private static func load(_ path: String, from library: PictureLibrary) async throws {
    let request = PictureRequest(
      .file(path), room: .init(width: 80, height: 24), enlarges: true)
    // A load with this cause does not use the cache.
    let picture = try await library.loader(for: request).value(cause: .user)
    guard !picture.isText else {
      throw HarnessError.wrong("\(path) did not become cells")
    }
  }

  private static let benchmarksPackage = (1...4).reduce(#filePath) { path, _ in
    (path as NSString).deletingLastPathComponent
  }
  private static let folder = benchmarksPackage + "/Pictures"
  private static let converterPath =
    benchmarksPackage + "/../../.build/release/argyle-pictures"
}

/// The peer.
private struct ChafaCommand {
  private let path = "/usr/bin/chafa"

  init?() {
    guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
  }

  func show(_ picture: String) throws {
    let words: [String] = [
      path, "--format", "symbols", "--symbols", "block", "--colors", "full", "--size", "80x24",
      "--font-ratio", "1/2", "--animate", "off", picture,
    ]
    let arguments = words.map { strdup($0) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      arguments.forEach { free($0) }
    }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    // Not by Foundation's Process, which notices an end later than it comes.
    var (process, status) = (pid_t(), Int32(0))
    guard posix_spawn(&process, path, &actions, nil, arguments + [nil], environ) == 0,
      waitpid(process, &status, 0) == process, status == 0
    else { throw HarnessError.wrong("chafa failed on \(picture)") }
  }
}
