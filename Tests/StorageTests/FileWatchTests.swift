import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Storage

@Suite("Watched files")
struct FileWatchTests {
  private final class Reports: Sendable {
    let count = Mutex(0)
  }

  private func temporaryFile() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appending(path: "file").path(percentEncoded: false)
  }

  private func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: (path as NSString).deletingLastPathComponent)
  }

  @Test("a file that is written without a pause is reported now and then, and at its end")
  func writesWithoutPause() async throws {
    let path = try temporaryFile()
    defer { remove(path) }
    try Data().write(to: URL(filePath: path))
    let reports = Reports()
    let (sizes, size) = AsyncStream.makeStream(of: UInt64.self)
    let watch = FileWatch(path: path, queue: DispatchQueue(label: "watch")) {
      reports.count.withLock { $0 += 1 }
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      size.yield((attributes?[.size] as? UInt64) ?? 0)
    }
    let handle = try #require(FileHandle(forWritingAtPath: path))
    let start = ContinuousClock.now
    for _ in 0..<2_000 { try handle.write(contentsOf: [0]) }
    for await size in sizes where size == 2_000 { break }
    let tenths = (ContinuousClock.now - start) / .milliseconds(100)
    // One at once, one after each rest.
    #expect(reports.count.withLock(\.self) <= Int(tenths) + 2)
    withExtendedLifetime(watch) {}
  }

  @Test("a watch that is let go of while it rests ends, and reports nothing more")
  func letGoOf() async throws {
    let path = try temporaryFile()
    defer { remove(path) }
    let queue = DispatchQueue(label: "watch")
    let reports = Reports()
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    var watch = FileWatch(path: path, queue: queue) {
      reports.count.withLock { $0 += 1 }
      change.yield()
    }
    #expect(watch != nil)
    try Data([1]).write(to: URL(filePath: path))
    for await _ in changes { break }
    watch = nil
    let before = reports.count.withLock(\.self)
    try Data([1, 2]).write(to: URL(filePath: path))
    // Behind the end of the rest, which is on the same queue.
    await withCheckedContinuation { continuation in
      queue.asyncAfter(deadline: .now() + FileWatch.rest) { continuation.resume() }
    }
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    #expect(reports.count.withLock(\.self) == before)
  }
}
