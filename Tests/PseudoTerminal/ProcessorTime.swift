import Foundation

/// How long the thread that calls it works on something: not the time that passes meanwhile.
///
/// For work that nobody counts in steps. It is compared with that for an input of another size; the
/// time itself says nothing.
public func processorTime<Value>(_ body: () throws -> Value) rethrows -> (
  value: Value, seconds: Double
) {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  let value = try body()
  return (value, now() - start)
}
