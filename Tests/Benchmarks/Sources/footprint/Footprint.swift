import CAllocator
import Foundation
import Loading
import Observation
import OpenCombine

/// Holds so many idle objects of one kind and prints what one of them takes, in bytes: of the heap
/// (what the allocator has handed out) and of resident memory.
@main
struct Footprint {
  @MainActor
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.count == 2, let kind = arguments.first,
      let count = arguments.last.flatMap(Int.init), count > 0
    else { return fail("usage: footprint resource|observable|subject COUNT") }
    switch kind {
    case "resource": measure(count) { id in Resource(Loader { _ in id }) }
    case "observable": measure(count) { id in Model(id: id) }
    case "subject": measure(count) { _ in CurrentValueSubject<LoadingState<Int>, Never>(.idle) }
    default: fail("footprint: no such kind: \(kind)")
    }
  }

  @MainActor
  private static func measure(_ count: Int, make: (Int) -> AnyObject) {
    // The first one brings what all of them share: metadata, the clock, the allocator's arena.
    let first = make(-1)
    var objects: [AnyObject] = []
    objects.reserveCapacity(count)
    // Touched, so that the array's own pages are not counted.
    for _ in 0..<count { objects.append(first) }
    let before = Memory.now
    for index in objects.indices { objects[index] = make(index) }
    let after = Memory.now
    withExtendedLifetime(objects) {
      print((after.heap - before.heap) / count, (after.resident - before.resident) / count)
    }
  }

  private static func fail(_ message: String) {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(2)
  }
}

/// What a view model is at the least: one observed state and what to load.
@MainActor @Observable
final class Model {
  var state = LoadingState<Int>.idle
  @ObservationIgnored let load: @Sendable () async throws -> Int

  init(id: Int) { load = { id } }
}

struct Memory {
  let heap: Int
  let resident: Int

  static var now: Memory {
    let heap = mallinfo2()
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?
      .split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return Memory(
      heap: heap.uordblks + heap.hblkhd, resident: (pages ?? 0) * sysconf(Int32(_SC_PAGESIZE)))
  }
}
