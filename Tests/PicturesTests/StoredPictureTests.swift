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
    #expect(next.picture(of: "http://a/1.png", limit: 100)?.bytes == [1, 2, 3])
    #expect(next.picture(of: "http://a/1.pn", limit: 100) == nil)
    #expect(next.picture(of: "http://a/1.png", limit: 2) == nil)
  }

  @Test func `a file with another address in it is not taken for the picture`() throws {
    let store = StoredPictures(folder: folder, capacity: 1000)
    store.store([1, 2, 3], of: "http://a/1.png")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    try Data("http://b/2.png\n123".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
    #expect(store.picture(of: "http://a/1.png", limit: 100) == nil)
  }

  @Test func `all files together stay below the limit, those used longest ago go first`() throws {
    let store = StoredPictures(folder: folder, capacity: 1000)
    let bytes = [UInt8](repeating: 7, count: 185)
    // Sixteen characters with the line end: 200 bytes a file, five of them.
    for number in 1...5 {
      let address = "http://a/\(number).png"
      store.store(bytes, of: address)
      let used = timeval(tv_sec: time(nil) - 100 + number, tv_usec: 0)
      #expect(utimes(store.path(of: address), [used, timeval(tv_sec: time(nil), tv_usec: 0)]) == 0)
    }
    #expect(store.picture(of: "http://a/1.png", limit: 1000) != nil)
    store.store(bytes, of: "http://a/6.png")
    let left = (1...6).filter { store.picture(of: "http://a/\($0).png", limit: 1000) != nil }
    #expect(left == [1, 5, 6])
  }

  @Test func `using a picture does not make it younger`() throws {
    let store = StoredPictures(folder: folder, capacity: 1000)
    store.store([1, 2, 3], of: "http://a/1.png")
    let path = store.path(of: "http://a/1.png")
    let fetched = timeval(tv_sec: time(nil) - 1_000, tv_usec: 0)
    #expect(utimes(path, [fetched, fetched]) == 0)
    for _ in 1...2 {
      let age = try #require(store.picture(of: "http://a/1.png", limit: 100)).age
      #expect(1_000..<1_900 ~= age)
    }
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_atim.tv_sec > fetched.tv_sec)
  }

  @Test func `a folder that cannot be made keeps nothing, and nobody complains`() {
    let store = StoredPictures(folder: "/proc/nothing/here", capacity: 1000)
    store.store([1], of: "http://a/1.png")
    #expect(store.picture(of: "http://a/1.png", limit: 100) == nil)
  }
}
