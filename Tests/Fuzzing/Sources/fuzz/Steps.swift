import Limits

/// Runs what reads `bytes` and fails when that takes more steps than their number allows.
func counted<Value>(
  _ bytes: [UInt8], _ body: (Budget) throws -> Value
) rethrows -> Value {
  let budget = Budget(bytes: bytes.count) { false }
  defer {
    precondition(
      budget.spent <= 16_384 + 48 * bytes.count, "\(budget.spent) steps for \(bytes.count) bytes")
  }
  return try body(budget)
}
