import Loading

/// Reads the states of a resource until they end, and compares them with the expected ones.
///
/// The states end when the resource is released, so release it before.
///
/// ```swift
/// var resource: Resource<Int>? = runtime.resource(.constant(1))
/// guard let states = resource?.states() else { return }
/// resource?.load()
/// runtime.run()
/// resource = nil  // ends the states
/// #expect(await difference(of: states, from: [.idle, .loading, .loaded(1)]) == nil)
/// ```
///
/// - Returns: a description of the first difference; nil if there is none.
public func difference<Value: Equatable & Sendable>(
  of states: AsyncStream<LoadingState<Value>>, from expected: [LoadingState<Value>]
) async -> String? {
  var index = 0
  for await state in states {
    guard index < expected.count else { return "state \(index) is \(state), after the last one" }
    if state != expected[index] {
      return "state \(index) is \(state), not \(expected[index])"
    }
    index += 1
  }
  return index == expected.count ? nil : "there are \(index) states, not \(expected.count)"
}
