/// An optional that takes the room of a pointer while it is nil: most resources are idle.
@propertyWrapper
struct Rare<Wrapped> {
  private final class Storage {
    var value: Wrapped

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
}
