extension Array where Element: Identifiable {
  /// Where the element of an id is, looked for from a place where it may be, in both directions:
  /// next to it that takes no time however many there are.
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
