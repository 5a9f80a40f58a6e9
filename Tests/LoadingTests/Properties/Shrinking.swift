/// Returns a shorter sequence that still fails: no single step can be removed from it.
func shrunk(_ steps: [Step], fails: ([Step]) -> Bool) -> [Step] {
  var steps = steps
  var chunk = max(1, steps.count / 2)
  while true {
    var start = 0
    var hasShrunk = false
    while start < steps.count {
      var candidate = steps
      candidate.removeSubrange(start..<min(start + chunk, steps.count))
      if fails(candidate) {
        steps = candidate
        hasShrunk = true
      } else {
        start += chunk
      }
    }
    if chunk > 1 {
      chunk /= 2
    } else if !hasShrunk {
      return steps
    }
  }
}

/// The text of a failed property test, with what is needed to reproduce it.
func report(seed: UInt64, steps: [Step], difference: String) -> String {
  """
  seed \(seed): \(difference)
  after, at the shortest:
  \(steps.map { "  .\($0)," }.joined(separator: "\n"))
  """
}
