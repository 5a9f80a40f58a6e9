@_spi(Reflection) import Swift

/// A property wrapper of a view that gets its value from where the view stands.
@MainActor
protocol DynamicProperty {
  /// Where it finds its value.
  var slot: PropertySlot { get }
  /// Parts from the slot that it shares with its copies.
  mutating func takeOwnSlot()
  /// Takes the slot for the place of `context`, and finds its value there.
  func install(_ context: ViewContext, index: Int)
  /// Whether its slot can serve the place of `context`, or another one has it.
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

/// What the copies of one view value share: actions made by its body find their place through it.
///
/// It belongs to the first place that it is installed at.
@MainActor
class PropertySlot {
  private weak var frame: FrameBuilder?
  private var path: ViewPath?

  final func isAvailable(to context: ViewContext) -> Bool {
    frame == nil || (frame === context.frame && path == context.path)
  }

  final func claim(_ context: ViewContext) {
    frame = context.frame
    path = context.path
  }
}

/// Finds and installs the dynamic properties of views.
@MainActor
enum DynamicProperties {
  /// Where a type of view stores one of them.
  struct Place {
    let index: Int
    let offset: Int
    let type: any DynamicProperty.Type

    /// The bytes of a view that it takes.
    @MainActor var bytes: Range<Int> { offset..<(offset + type.byteCount) }
  }

  // Asked once a type: most of what a view stores is nothing to install.
  private static var places: [ObjectIdentifier: [Place]] = [:]

  /// The view with its properties installed for a place: in slots of their own, where the same value
  /// stands at another place too.
  static func install<Content: View>(in view: Content, context: ViewContext) -> Content {
    let places = places(in: view)
    if places.isEmpty { return view }
    var view = view
    withUnsafeMutableBytes(of: &view) { bytes in
      guard let start = bytes.baseAddress else { return }
      let isShared = !places.allSatisfy { $0.type.isAvailable(at: start + $0.offset, context) }
      for place in places {
        place.type.install(
          at: start + place.offset, context, index: place.index, inOwnSlot: isShared)
      }
    }
    return view
  }

  static func places<Content: View>(in view: Content) -> [Place] {
    if let known = places[ObjectIdentifier(Content.self)] { return known }
    var found: [Place] = []
    // What an enumeration stores differs from case to case.
    if Mirror(reflecting: view).displayStyle == .struct {
      var index = 0
      _forEachField(of: Content.self) { name, offset, type, _ in
        // As the compiler names what a property wrapper stores. To find out that a type does not
        // conform, the runtime looks through every conformance of the program, for each type once:
        // that would be a tenth of a start.
        let isWrapper = name.pointee == CChar(UInt8(ascii: "_"))
        if isWrapper, let property = type as? any DynamicProperty.Type {
          found.append(Place(index: index, offset: offset, type: property))
        }
        index += 1
        return true
      }
    }
    places[ObjectIdentifier(Content.self)] = found
    return found
  }
}
