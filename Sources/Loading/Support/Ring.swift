/// A ring buffer, which keeps the newest elements.
struct Ring<Element: Sendable>: Sendable {
  let capacity: Int
  private var ring: [Element] = []
  private var oldest = 0

  init(capacity: Int) {
    self.capacity = max(0, capacity)
  }

  /// The elements that are kept, oldest first.
  var elements: [Element] {
    Array(ring[oldest...] + ring[..<oldest])
  }

  mutating func append(_ element: Element) {
    guard capacity > 0 else { return }
    if ring.count < capacity {
      // A load has at least two events, its start and its end.
      if ring.isEmpty { ring.reserveCapacity(min(capacity, 2)) }
      ring.append(element)
    } else {
      ring[oldest] = element
      oldest = oldest + 1 == capacity ? 0 : oldest + 1
    }
  }
}
