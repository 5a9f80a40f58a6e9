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

  @Test("watches of one folder are told of their own files, and one that ends leaves the others")
  func oneFolder() async throws {
    let path = try temporaryFile()
    defer { remove(path) }
    let queue = DispatchQueue(label: "watch")
    let reports = Reports()
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    let other = FileWatch(path: path + "2", queue: queue) { reports.count.withLock { $0 += 1 } }
    var ended = FileWatch(path: path, queue: queue) {}
    let complete = FileWatch(path: path, events: .complete, queue: queue) { change.yield() }
    #expect(other != nil && ended != nil && complete != nil)
    ended = nil
    try Data([1]).write(to: URL(filePath: path))
    for await _ in changes { break }
    #expect(reports.count.withLock(\.self) == 0)
    withExtendedLifetime((other, complete)) {}
  }

  @Test(
    "a file that is moved away is reported", .timeLimit(.minutes(10)),
    arguments: [FileEvents.all, .complete])
  func movedAway(events: FileEvents) async throws {
    let path = try temporaryFile()
    defer { remove(path) }
    try Data([1]).write(to: URL(filePath: path))
    let (changes, change) = AsyncStream.makeStream(of: Void.self)
    let watch = FileWatch(path: path, events: events, queue: DispatchQueue(label: "watch")) {
      change.yield()
    }
    #expect(watch != nil)
    try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
    for await _ in changes { break }
    withExtendedLifetime(watch) {}
  }

  #if os(Linux)
    @Test("however many files are watched, one instance of inotify is open")
    func oneInstance() throws {
      let path = try temporaryFile()
      defer { remove(path) }
      let queue = DispatchQueue(label: "watch")
      let watches = (0..<3).map { FileWatch(path: "\(path)\($0)", queue: queue) {} }
      #expect(watches.allSatisfy { $0 != nil })
      let folder = "/proc/self/fd/"
      let open = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)
        return target == "anon_inode:inotify"
      }
      #expect(open.count == 1)
      withExtendedLifetime(watches) {}
    }
  #endif
}
