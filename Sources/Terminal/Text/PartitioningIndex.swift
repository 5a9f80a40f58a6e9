extension RandomAccessCollection {
  /// Returns the index of the first element that fulfils a condition, by binary search; all elements
  /// after it must fulfil it, too.
  @inlinable package func partitioningIndex(where isBehind: (Element) -> Bool) -> Index {
    var (low, count) = (startIndex, count)
    while count > 0 {
      let half = count / 2
      let middle = index(low, offsetBy: half)
      if isBehind(self[middle]) {
        count = half
      } else {
        low = index(after: middle)
        count -= half + 1
      }
    }
    return low
  }
}
