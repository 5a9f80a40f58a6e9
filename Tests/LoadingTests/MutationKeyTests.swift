import Loading
import Testing

@Suite struct MutationKeyTests {
  @Test func `equal keys have equal hashes, even if they have different types`() {
    let keys = [
      MutationKey(1), MutationKey(1.0), MutationKey(UInt8(1)), MutationKey("1"),
      MutationKey(Optional(1)), MutationKey(Optional<Int>.none), MutationKey([1]),
      MutationKey([1.0]), MutationKey(\String.count), MutationKey(MutationKey(1)),
    ]
    for left in keys {
      for right in keys where left == right {
        #expect(left.hashValue == right.hashValue, "\(left.base), \(right.base)")
        #expect(Set([left]).contains(right), "\(left.base), \(right.base)")
      }
    }
    #expect(MutationKey(1) == MutationKey(1))
    #expect(MutationKey(1) != MutationKey("1"))
  }
}
