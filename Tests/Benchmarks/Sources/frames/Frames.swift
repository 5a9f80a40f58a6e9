import AllocationCounter
import Foundation
import Loading
import LoadingTesting
import TerminalUI

/// Draws frames in memory and prints, a line each, what was drawn, on how many columns and rows, how
/// many nanoseconds of this thread a frame takes that is built from nothing and how many blocks it allocates,
/// and the same for one after a key (0 where there is no key).
@main
struct Frames {
  @MainActor
  static func main() {
    let sizes = [Size(width: 80, height: 24), Size(width: 200, height: 50)]
    for scene in Scene.all {
      let makeHost = scene.prepare()
      for size in sizes { measure(scene.name, makeHost, size: size, keys: scene.keys) }
    }
    for depth in [3, 6, 12, 24] {
      measure("stacks-\(depth)", Scene.showing(Nested(depth: depth)), size: sizes[1], keys: [])
    }
  }

  @MainActor
  private static func measure(
    _ name: String, _ makeHost: () -> ViewHost, size: Size, keys: [KeyPress]
  ) {
    let rebuilt = Measured(firstFramesOf: makeHost, size: size)
    let afterKey = keys.isEmpty ? nil : Measured(makeHost(), size: size, keys: keys)
    print(
      name, size.width, size.height, rebuilt, afterKey.map(\.description) ?? "0 0")
  }
}

/// What a frame costs: the first one of a host, or one after a key.
@MainActor
struct Measured: @preconcurrency CustomStringConvertible {
  let nanoseconds: Double
  let allocations: Double

  /// Each of a host of its own, which is made before the time is taken.
  init(firstFramesOf makeHost: () -> ViewHost, size: Size) {
    var (best, count) = (Double.infinity, 0)
    let rounds = (count: 10, frames: 20)
    for _ in 0..<(1 + rounds.count) {
      let hosts = (0..<rounds.frames).map { _ in makeHost() }
      let (before, start) = (allocation_count(), ThreadClock.now)
      // Kept, or their end would be measured, too.
      let frames = hosts.map { $0.frame(size: size) }
      best = min(best, (ThreadClock.now - start) / Double(frames.count))
      count = Int(allocation_count() - before) / frames.count
    }
    (nanoseconds, allocations) = (best, Double(count))
  }

  init(_ host: ViewHost, size: Size, keys: [KeyPress]) {
    var frame = host.frame(size: size)
    host.didPresent(frame)
    func draw(_ count: Int) {
      for index in 0..<count {
        host.press(keys[index % keys.count], in: frame)
        frame = host.frame(size: size)
        host.didPresent(frame)
      }
    }
    draw(50)
    var best = Double.infinity
    let rounds = (count: 10, frames: 60)
    let before = allocation_count()
    for _ in 0..<rounds.count {
      let start = ThreadClock.now
      draw(rounds.frames)
      best = min(best, (ThreadClock.now - start) / Double(rounds.frames))
    }
    nanoseconds = best
    allocations = Double(allocation_count() - before) / Double(rounds.count * rounds.frames)
  }

  var description: String {
    "\(Int(nanoseconds)) \(Int(allocations))"
  }
}

enum ThreadClock {
  /// In nanoseconds of processor time: what others do on the machine is not in it.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
