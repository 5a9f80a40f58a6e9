import Foundation
import Testing

@testable import Limits

/// Tests of reading files.
@Suite struct FileReaderTests {
  @Test func `a pipe is read to its end where one is accepted, and a folder never is`() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    try #require(write(ends[1], "pipe", 4) == 4)
    close(ends[1])
    let path = "/dev/fd/\(ends[0])"
    #expect(throws: FileReader.Failure.notAFile) { try FileReader.bytes(of: path, limit: 9) }
    let bytes = try FileReader.bytes(of: path, limit: 9, acceptsPipes: true)
    #expect(String(decoding: bytes, as: UTF8.self) == "pipe")
    #expect(throws: FileReader.Failure.notAFile) {
      try FileReader.bytes(of: "/", limit: 9, acceptsPipes: true)
    }
  }
}
