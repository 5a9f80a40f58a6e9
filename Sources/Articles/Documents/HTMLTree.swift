import CGumbo

/// The tree that an HTML5 parser makes of a text.
///
/// It is valid as long as this object lives.
final class HTMLTree {
  private let arena: UnsafeMutablePointer<argyle_gumbo>
  // The tree points into it.
  private let text: UnsafeMutableBufferPointer<CChar>

  /// Nil when the text is built so that parsing it would take too much memory or time.
  init?(_ html: String) {
    let bytes = Array(html.utf8)
    let text = UnsafeMutableBufferPointer<CChar>.allocate(capacity: max(bytes.count, 1))
    UnsafeMutableRawBufferPointer(text).copyBytes(from: bytes)
    // Several times of what any honest text takes, on a machine several times slower.
    let memory = (32 << 20) + bytes.count * 48
    let milliseconds = UInt32(500 + bytes.count / 2_000)
    guard let arena = argyle_gumbo_parse(text.baseAddress, bytes.count, memory, milliseconds) else {
      text.deallocate()
      return nil
    }
    self.text = text
    self.arena = arena
  }

  deinit {
    argyle_gumbo_free(arena)
    text.deallocate()
  }

  var root: HTMLNode? { argyle_gumbo_root(arena).map(HTMLNode.init) }
}

/// A node of an ``HTMLTree``, valid as long as the tree.
struct HTMLNode {
  enum Kind {
    case element(GumboTag)
    case text(UnsafePointer<CChar>)
    case nothing
  }

  private let pointer: UnsafeMutablePointer<GumboNode>

  init(_ pointer: UnsafeMutablePointer<GumboNode>) { self.pointer = pointer }

  var kind: Kind {
    switch pointer.pointee.type {
    // A template is never shown.
    case GUMBO_NODE_ELEMENT: .element(pointer.pointee.v.element.tag)
    case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
      pointer.pointee.v.text.text.map { .text($0) } ?? .nothing
    default: .nothing
    }
  }

  var isHTML: Bool { pointer.pointee.v.element.tag_namespace == GUMBO_NAMESPACE_HTML }

  /// Only of an element.
  var childCount: Int { Int(pointer.pointee.v.element.children.length) }

  func child(_ index: Int) -> HTMLNode? {
    guard let data = pointer.pointee.v.element.children.data, let child = data[index] else {
      return nil
    }
    return HTMLNode(child.assumingMemoryBound(to: GumboNode.self))
  }

  /// Only of an element.
  subscript(attribute: String) -> String? {
    guard pointer.pointee.v.element.attributes.length > 0 else { return nil }
    return withUnsafePointer(to: &pointer.pointee.v.element.attributes) { attributes in
      gumbo_get_attribute(attributes, attribute).map { String(cString: $0.pointee.value) }
    }
  }
}
