/// An optional that is as small as a pointer, for values that most resources do not have.
@propertyWrapper
struct Rare<Wrapped> {
  private final class Storage {
    // Unchecked, because it is only accessed through the `Rare`, whose accesses are checked.
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

  /// Reads the value in place, while ``wrappedValue`` copies it; returns nil if there is none.
  func look<Answer>(_ body: (Wrapped) -> Answer) -> Answer? {
    guard let storage else { return nil }
    return body(storage.value)
  }

  /// Changes the value in place, if there is one.
  mutating func change(_ body: (inout Wrapped) -> Void) {
    if !isKnownUniquelyReferenced(&storage) { storage = storage.map { Storage($0.value) } }
    if let storage { body(&storage.value) }
  }
}
