/// A stored property of a view that gets its value from where the view stands.
@MainActor
protocol DynamicProperty {
  func install(_ context: ViewContext, index: Int)
}

@MainActor
enum DynamicProperties {
  // Reflection is slow and most views have nothing to install: asked once a type.
  private static var typesWithout: Set<ObjectIdentifier> = []

  static func install<Content: View>(in view: Content, context: ViewContext) {
    let type = ObjectIdentifier(Content.self)
    guard !typesWithout.contains(type) else { return }
    var found = false
    for (index, child) in Mirror(reflecting: view).children.enumerated() {
      guard let property = child.value as? any DynamicProperty else { continue }
      found = true
      property.install(context, index: index)
    }
    if !found { typesWithout.insert(type) }
  }
}
