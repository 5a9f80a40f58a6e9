import Foundation
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
      #expect(throws: FileWriter.Failure.cannotReplace) {
        try FileWriter.write([], to: "\(folder)/missing/file")
      }
      #expect(throws: FileWriter.Failure.cannotReplace) { try FileWriter.write([], to: folder) }
      #expect(throws: FileWriter.Failure.refused(ENOSPC)) {
        try FileWriter.write([1], to: "/dev/full")
      }
    }
  }
}
