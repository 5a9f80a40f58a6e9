extension Array where Element: Identifiable {
  /// Returns the index of the element with an ID, searching outwards from `place`.
  ///
  /// An element near there is found quickly, however many there are.
  func index(of id: Element.ID, near place: Int) -> Int? {
    guard !isEmpty else { return nil }
    let start = Swift.min(Swift.max(place, 0), count - 1)
    for distance in 0..<count {
      let (before, after) = (start - distance, start + distance)
      if after < count, self[after].id == id { return after }
      if before >= 0, self[before].id == id { return before }
      if before < 0, after >= count { break }
    }
    return nil
  }
}
