@testable import Articles

// The memory that is kept of a text, counted in values and their texts. What the allocator adds to
// each is left out, but for the room for a text or a list.

extension String {
  /// Short ones are in the value itself.
  var byteCount: Int { utf8.count > 15 ? utf8.count + 32 : 0 }
}

extension Array {
  func byteCount(_ element: (Element) -> Int) -> Int {
    isEmpty ? 0 : 32 + reduce(0) { $0 + MemoryLayout<Element>.stride + element($1) }
  }
}

extension Document {
  var byteCount: Int {
    blocks.byteCount(\.byteCount) + (links + jumps).byteCount(\.address.byteCount)
  }
}

extension Block {
  fileprivate var byteCount: Int {
    let contents =
      switch self {
      case .heading(_, let inlines), .paragraph(let inlines): inlines.byteCount(\.byteCount)
      case .list(_, let items): items.byteCount { $0.byteCount(\.byteCount) }
      case .quote(let blocks): blocks.byteCount(\.byteCount)
      case .code(let language, let text): (language?.byteCount ?? 0) + text.byteCount
      case .rule: 0
      case .picture(let picture): picture.byteCount
      case .table(let table):
        table.rows.byteCount { $0.byteCount { $0.byteCount(\.byteCount) } }
      }
    // The block itself is a reference to them.
    return 48 + contents
  }
}

extension Inline {
  fileprivate var byteCount: Int {
    switch self {
    case .text(let text, _, _), .anchor(let text): text.byteCount
    case .picture(let picture, _): picture.byteCount
    case .lineBreak: 0
    }
  }
}

extension Picture {
  fileprivate var byteCount: Int { alt.byteCount + (address?.byteCount ?? 0) }
}

extension SubscriptionList {
  var byteCount: Int {
    subscriptions.byteCount { feed in
      let texts = [feed.address, feed.name, feed.title, feed.site].compactMap(\.self) + feed.tags
      return texts.byteCount(\.byteCount)
        + feed.others.reduce(0) { $0 + 32 + $1.key.byteCount + $1.value.byteCount }
    } + refusals.byteCount(\.entry.byteCount)
  }
}
