/// An optional that takes the room of a pointer while it is nil: most resources are idle.
@propertyWrapper
struct Rare<Wrapped> {
  private final class Storage {
    // Unchecked, because it is reached through this value alone, whose own accesses are checked.
    @exclusivity(unchecked) var value: Wrapped

    init(_ value: Wrapped) { self.value = value }
  }

  private var storage: Storage?

  init(wrappedValue: Wrapped?) {
    storage = wrappedValue.map(Storage.init)
  }

  var wrappedValue: Wrapped? {
    get { storage?.value }
    set {
      if let newValue, isKnownUniquelyReferenced(&storage) {
        storage?.value = newValue
      } else {
        storage = newValue.map(Storage.init)
      }
    }
  }

  /// Looks at a part of it in place, where ``wrappedValue`` is a copy of all of it.
  func look<Answer>(_ body: (Wrapped) -> Answer) -> Answer? {
    guard let storage else { return nil }
    return body(storage.value)
  }

  /// Changes it in place, if there is any.
  mutating func change(_ body: (inout Wrapped) -> Void) {
    if !isKnownUniquelyReferenced(&storage) { storage = storage.map { Storage($0.value) } }
    if let storage { body(&storage.value) }
  }
}
