/// A property wrapper of a view that gets its value from where the view stands.
@MainActor
protocol DynamicProperty {
  /// Where it finds its value.
  var slot: PropertySlot { get }
  func makeSlot() -> PropertySlot
  /// Takes the slot for the place of `context`, and finds its value there.
  func install(_ context: ViewContext, index: Int)
  /// Whether its slot can serve the place of `context`, or another one has it.
  func isAvailable(to context: ViewContext) -> Bool
}

extension DynamicProperty {
  func isAvailable(to context: ViewContext) -> Bool { slot.isAvailable(to: context) }
}

/// What the copies of one view value share: actions made by its body find their place through it.
///
/// It belongs to the first place that it is installed at.
@MainActor
class PropertySlot {
  private weak var store: StateStore?
  private var path: ViewPath?

  final func isAvailable(to context: ViewContext) -> Bool {
    store == nil || (store === context.frame.store && path == context.path)
  }

  final func claim(_ context: ViewContext) {
    store = context.frame.store
    path = context.path
  }
}

@MainActor
enum DynamicProperties {
  // Reflection is slow, and most of what a view stores is nothing to install: which of it may be is
  // asked once a type.
  private static var places: [ObjectIdentifier: [Int]] = [:]

  /// The view with its properties installed for a place: itself, or, where the same value stands at
  /// another place too, a copy with slots of its own.
  static func install<Content: View>(in view: Content, context: ViewContext) -> Content {
    let properties = properties(of: view)
    if properties.isEmpty { return view }
    guard properties.allSatisfy({ $0.property.isAvailable(to: context) }) else {
      var copy = view
      replaceSlots(of: properties.map(\.property), in: &copy)
      return installed(copy, self.properties(of: copy), context)
    }
    return installed(view, properties, context)
  }

  private static func installed<Content: View>(
    _ view: Content, _ properties: [(index: Int, property: any DynamicProperty)],
    _ context: ViewContext
  ) -> Content {
    for (index, property) in properties { property.install(context, index: index) }
    return view
  }

  private static func properties<Content: View>(
    of view: Content
  ) -> [(index: Int, property: any DynamicProperty)] {
    let type = ObjectIdentifier(Content.self)
    if let known = places[type], known.isEmpty { return [] }
    let mirror = Mirror(reflecting: view)
    let children = mirror.children
    // What an enumeration stores differs from case to case.
    guard mirror.displayStyle == .struct else { return [] }
    // As the compiler names what a property wrapper stores. To find out that a type does not
    // conform, the runtime looks through every conformance of the program, for each type once:
    // that would be a tenth of a start.
    let wrapped =
      places[type]
      ?? children.enumerated().compactMap { place, child in
        child.label?.hasPrefix("_") == true && child.value is any DynamicProperty ? place : nil
      }
    places[type] = wrapped
    return wrapped.compactMap { place in
      let child = children[children.index(children.startIndex, offsetBy: place)]
      return (child.value as? any DynamicProperty).map { (place, $0) }
    }
  }

  /// Gives the properties of a copy slots of their own.
  ///
  /// Reflection reads stored properties and cannot write them: the references to the slots are
  /// exchanged where they lie in the copy's memory. A reference is the address of its object, and
  /// as long as the slot lives no other object has that address. Should the bytes not show exactly
  /// one reference a property, the rest of them being no value at all but what was left over from
  /// another one, nothing is changed and the places go on sharing.
  private static func replaceSlots<Content: View>(
    of properties: [any DynamicProperty], in view: inout Content
  ) {
    withUnsafeMutableBytes(of: &view) { bytes in
      let width = MemoryLayout<UInt>.size
      let offsets = Array(stride(from: 0, through: bytes.count - width, by: width))
      for property in properties {
        let old = Unmanaged.passUnretained(property.slot)
        let address = UInt(bitPattern: old.toOpaque())
        let found = offsets.filter { bytes.load(fromByteOffset: $0, as: UInt.self) == address }
        guard let offset = found.first, found.count == 1 else { continue }
        let new = Unmanaged.passRetained(property.makeSlot())
        bytes.storeBytes(of: UInt(bitPattern: new.toOpaque()), toByteOffset: offset, as: UInt.self)
        // The copy held the old one and holds the new one now.
        old.release()
      }
    }
  }
}
