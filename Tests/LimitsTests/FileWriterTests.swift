import Foundation
import PseudoTerminal
import Testing

@testable import Limits

/// Tests of writing files.
@Suite struct FileWriterTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString

  private func inFolder(_ body: () throws -> Void) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body()
  }

  private func write(_ text: String, to name: String) throws {
    try FileWriter.write(Array(text.utf8), to: "\(folder)/\(name)")
  }

  private func text(of name: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  @Test func `a file is replaced with its permissions, and through a link`() throws {
    try inFolder {
      try write("old", to: "file")
      #expect(chmod("\(folder)/file", 0o640) == 0)
      for (link, target) in [("link", "file"), ("second", "link"), ("dangling", "new")] {
        #expect(symlink(target, "\(folder)/\(link)") == 0)
      }
      try write("new", to: "second")
      #expect(try text(of: "file") == "new")
      var status = stat()
      #expect(stat("\(folder)/file", &status) == 0)
      #expect(status.st_mode & 0o777 == 0o640)
      try write("made", to: "dangling")
      #expect(try text(of: "new") == "made")
      for link in ["link", "second", "dangling"] {
        #expect(lstat("\(folder)/\(link)", &status) == 0)
        #expect(status.st_mode & S_IFMT == S_IFLNK, "\(link)")
      }
    }
  }

  @Test func `a pipe gets the bytes and stays one`() throws {
    try inFolder {
      let path = "\(folder)/pipe"
      #expect(mkfifo(path, 0o600) == 0)
      // Open for both, so that neither end waits for the other.
      let end = open(path, O_RDWR)
      try #require(end >= 0)
      defer { close(end) }
      try write("through", to: "pipe")
      var bytes = [UInt8](repeating: 0, count: 20)
      let count = read(end, &bytes, 20)
      #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "through")
      var status = stat()
      #expect(lstat(path, &status) == 0)
      #expect(status.st_mode & S_IFMT == S_IFIFO)
    }
  }

  @Test func `what cannot be written is said, and stays`() throws {
    try inFolder {
      for (path, code) in [
        ("\(folder)/missing/file", ENOENT), (folder, EISDIR), ("/dev/full", ENOSPC),
      ] {
        #expect(throws: FileWriter.Failure(code: code)) { try FileWriter.write([1], to: path) }
      }
    }
  }

  @Test func `a file that becomes too large is not blamed on its folder`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory()
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1_000, rlim_max: 1_000)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let bytes = [UInt8](repeating: 1, count: 2_000)
      try #require(throws: FileWriter.Failure(code: EFBIG)) {
        try FileWriter.write(bytes, to: folder.path + "/file")
      }
    }
  }

  @Test(.enabled(if: geteuid() != 0, "a superuser may write everywhere"))
  func `a file in a folder that cannot be written says so`() throws {
    try inFolder {
      try write("old", to: "file")
      chmod(folder, 0o500)
      defer { chmod(folder, 0o700) }
      #expect(throws: FileWriter.Failure(code: EACCES, isOfFolder: true)) {
        try write("new", to: "file")
      }
    }
  }
}
