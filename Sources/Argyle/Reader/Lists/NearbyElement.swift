extension RandomAccessCollection where Element: Identifiable, Index == Int {
  /// Returns the index of the element with an ID, searching outwards from `place`.
  ///
  /// An element near there is found quickly, however many there are.
  func index(of id: Element.ID, near place: Int) -> Int? {
    guard !isEmpty else { return nil }
    let start = Swift.min(Swift.max(place, startIndex), endIndex - 1)
    for distance in 0..<count {
      let (before, after) = (start - distance, start + distance)
      if after < endIndex, self[after].id == id { return after }
      if before >= startIndex, self[before].id == id { return before }
    }
    return nil
  }
}
