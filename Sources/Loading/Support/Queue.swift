/// A first-in-first-out queue from whose middle elements can be removed; removing the first is
/// O(1).
package struct Queue<Element>: RandomAccessCollection {
  private var storage: [Element?] = []
  private var head = 0

  package init() {}

  package var startIndex: Int { head }
  package var endIndex: Int { storage.count }

  // The collection's defaults are slower, and these are used for every event.
  package var count: Int { storage.count - head }
  package var isEmpty: Bool { storage.count == head }
  package var first: Element? { isEmpty ? nil : storage[head] }
  package var last: Element? { isEmpty ? nil : storage[storage.count - 1] }

  package subscript(position: Int) -> Element {
    get {
      guard let element = storage[position] else {
        preconditionFailure("The element was removed.")
      }
      return element
    }
    set { storage[position] = newValue }
  }

  package mutating func append(_ element: Element) {
    storage.append(element)
  }

  package mutating func removeFirst() -> Element {
    let element = self[head]
    // Released now and not when the storage is compacted: the element may own a lot of memory.
    storage[head] = nil
    head += 1
    if head == storage.count {
      storage.removeAll(keepingCapacity: storage.count <= 64)
      head = 0
    } else if head >= 32, head * 2 >= storage.count {
      storage.removeSubrange(..<head)
      head = 0
    }
    return element
  }

  @discardableResult
  package mutating func remove(at position: Int) -> Element {
    if position == head { return removeFirst() }
    let element = self[position]
    storage.remove(at: position)
    return element
  }

  package mutating func removeAll(where shouldRemove: (Element) -> Bool) {
    storage = self.filter { !shouldRemove($0) }
    head = 0
  }
}

extension Queue: Sendable where Element: Sendable {}
