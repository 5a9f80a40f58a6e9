import Foundation

/// Whether work on a large input takes at most a number of times as long as that on a small one.
///
/// For work that nobody counts in steps. What is measured is the time of the thread that does it, and
/// the least of several tries: whatever else the machine does can make work longer and never shorter,
/// so one quiet try is enough to show that work is in proportion, and no noise can. The limit has
/// to be far from both: sixteen times the input takes sixteen times as long in proportion, and 256
/// times when it is quadratic.
///
/// - Returns: nil, or the shortest times in seconds, where the large one was too long in every try.
public func excessOfTime(
  over limit: Double, small: () throws -> Void, large: () throws -> Void
) rethrows -> (small: Double, large: Double)? {
  var least = (small: Double.infinity, large: Double.infinity)
  for _ in 0..<10 {
    least.small = min(least.small, try processorTime(small))
    least.large = min(least.large, try processorTime(large))
    // A tenth of a second says nothing about growth, and is short enough.
    if least.large <= max(limit * least.small, 0.1) { return nil }
  }
  return least
}

private func processorTime(_ body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  try body()
  return now() - start
}
