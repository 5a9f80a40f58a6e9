@_spi(Reflection) import Swift

/// A property wrapper of a view that gets its value from the view's position in the tree.
@MainActor
protocol DynamicProperty {
  /// The slot through which it finds its value.
  var slot: PropertySlot { get }
  /// Replaces the slot that it shares with its copies by one of its own.
  mutating func takeOwnSlot()
  /// Claims the slot for the path of `context`, and looks up its value there.
  func install(_ context: ViewContext, index: Int)
  /// Whether its slot is free for the path of `context`, rather than claimed for another path.
  func isAvailable(to context: ViewContext) -> Bool
}

extension DynamicProperty {
  func isAvailable(to context: ViewContext) -> Bool { slot.isAvailable(to: context) }

  fileprivate static var byteCount: Int { MemoryLayout<Self>.size }

  fileprivate static func isAvailable(
    at address: UnsafeMutableRawPointer, _ context: ViewContext
  ) -> Bool {
    address.assumingMemoryBound(to: Self.self).pointee.isAvailable(to: context)
  }

  fileprivate static func install(
    at address: UnsafeMutableRawPointer, _ context: ViewContext, index: Int, inOwnSlot: Bool
  ) {
    let property = address.assumingMemoryBound(to: Self.self)
    if inOwnSlot { property.pointee.takeOwnSlot() }
    property.pointee.install(context, index: index)
  }
}

/// The storage that copies of one view value share, so that actions made by its body find their
/// element.
///
/// A slot belongs to the first element at which it is installed, until that element ends.
@MainActor
class PropertySlot {
  private var owner: ElementMark?

  final func isAvailable(to context: ViewContext) -> Bool {
    owner === context.owner || owner?.element == nil
  }

  final func claim(_ context: ViewContext) { owner = context.owner }
}

/// Finds and installs the dynamic properties of views.
@MainActor
enum DynamicProperties {
  /// Where a view type stores a dynamic property.
  struct Place {
    let index: Int
    let offset: Int
    let type: any DynamicProperty.Type

    /// The range of bytes in the view that the property takes.
    @MainActor var bytes: Range<Int> { offset..<(offset + type.byteCount) }
  }

  // Cached by type, because most properties of views are not dynamic.
  private static var places: [ObjectIdentifier: [Place]] = [:]

  /// Returns the view with its dynamic properties installed for a path.
  ///
  /// A property whose slot is already used at another path gets a slot of its own.
  static func install<Content: View>(in view: Content, context: ViewContext) -> Content {
    let places = places(of: Content.self)
    if places.isEmpty { return view }
    var view = view
    withUnsafeMutableBytes(of: &view) { bytes in
      guard let start = bytes.baseAddress else { return }
      for place in places {
        let property = start + place.offset
        place.type.install(
          at: property, context, index: place.index,
          inOwnSlot: !place.type.isAvailable(at: property, context))
      }
    }
    return view
  }

  static func places<Content: View>(of _: Content.Type) -> [Place] {
    if let known = places[ObjectIdentifier(Content.self)] { return known }
    var found: [Place] = []
    var index = 0
    // Not the fields of an enumeration, which differ from case to case.
    _forEachField(of: Content.self) { name, offset, type, _ in
      // The compiler prefixes the storage of a property wrapper with an underscore. Checking other
      // fields would be slow: to find out that a type does not conform, the runtime searches all
      // conformances of the program, once per type, which took a tenth of the startup time.
      let isWrapper = name.pointee == CChar(UInt8(ascii: "_"))
      if isWrapper, let property = type as? any DynamicProperty.Type {
        found.append(Place(index: index, offset: offset, type: property))
      }
      index += 1
      return true
    }
    places[ObjectIdentifier(Content.self)] = found
    return found
  }
}
