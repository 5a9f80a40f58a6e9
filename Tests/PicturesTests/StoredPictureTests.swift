import Foundation
import PseudoTerminal
import Testing

@testable import Pictures

/// Pictures on the disk.
@Suite struct StoredPictureTests {
  private let directory: TemporaryDirectory
  private var folder: String { directory.path + "/pictures" }

  init() throws { directory = try TemporaryDirectory() }

  @Test func `what was stored is there in the next program, under its address alone`() {
    StoredPictures(folder: folder, capacity: 1000).store([1, 2, 3], of: "http://a/1.png")
    let next = StoredPictures(folder: folder, capacity: 1000)
    #expect(next.bytes(of: "http://a/1.png", limit: 100) == [1, 2, 3])
    #expect(next.bytes(of: "http://a/1.pn", limit: 100) == nil)
    #expect(next.bytes(of: "http://a/1.png", limit: 2) == nil)
  }

  @Test func `a file with another address in it is not taken for the picture`() throws {
    let store = StoredPictures(folder: folder, capacity: 1000)
    store.store([1, 2, 3], of: "http://a/1.png")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    try Data("http://b/2.png\n123".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    #expect(store.bytes(of: "http://a/1.png", limit: 100) == nil)
  }

  @Test func `all files together stay below the limit, those used longest ago go first`() throws {
    let store = StoredPictures(folder: folder, capacity: 1000)
    let bytes = [UInt8](repeating: 7, count: 185)
    // Sixteen characters with the line end: 200 bytes a file, five of them.
    for number in 1...5 {
      store.store(bytes, of: "http://a/\(number).png")
      try age(by: TimeInterval(100 - number), number)
    }
    #expect(store.bytes(of: "http://a/1.png", limit: 1000) != nil)
    store.store(bytes, of: "http://a/6.png")
    let left = (1...6).filter { store.bytes(of: "http://a/\($0).png", limit: 1000) != nil }
    #expect(left == [1, 5, 6])
  }

  @Test func `a folder that cannot be made keeps nothing, and nobody complains`() {
    let store = StoredPictures(folder: "/proc/nothing/here", capacity: 1000)
    store.store([1], of: "http://a/1.png")
    #expect(store.bytes(of: "http://a/1.png", limit: 100) == nil)
  }

  /// Makes the newest file as old as this.
  private func age(by seconds: TimeInterval, _ number: Int) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let path = folder + "/" + name
      let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
      guard text.hasPrefix("http://a/\(number).png") else { continue }
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path)
    }
  }
}
