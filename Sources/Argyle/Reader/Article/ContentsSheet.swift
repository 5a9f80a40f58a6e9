import Articles
import TerminalUI

/// A sheet with the headings of an article, one of which the user chooses to scroll to.
struct ContentsSheet: View {
  let document: Document
  let proxy: ScrollProxy
  let close: @MainActor () -> Void
  @State private var selection: Int?

  private static let widest = 72

  var body: some View {
    let headings = document.headings
    // The outermost heading level is not indented.
    let outermost = headings.map(\.level).min() ?? 1
    List(
      headings, selection: $selection, submitLabel: "go there",
      onSubmit: { heading in
        proxy.scroll(toHeading: heading.id)
        close()
      }
    ) { heading in
      Text(String(repeating: "  ", count: heading.level - outermost) + heading.title).lineLimit(1)
    }
    .frame(maxWidth: Self.widest, maxHeight: max(1, headings.count))
    .defaultFocus()
    .onAppear {
      selection = headings.last { $0.id <= proxy.heading ?? 0 }?.id ?? headings.first?.id
    }
  }
}

/// A heading of a document.
struct DocumentHeading: Identifiable, Hashable {
  /// The index among all headings, including those without text.
  let id: Int
  /// The level from 1 to 6.
  let level: Int
  let title: String
}

extension Document {
  /// The headings that have text, in order.
  var headings: [DocumentHeading] {
    var headings: [DocumentHeading] = []
    Self.collect(from: blocks, into: &headings)
    return headings.filter { heading in heading.title.contains { !$0.isWhitespace } }
  }

  private static func collect(from blocks: [Block], into headings: inout [DocumentHeading]) {
    for block in blocks {
      switch block {
      case .heading(let level, let inlines):
        let title = inlines.map(\.words).joined()
        headings.append(DocumentHeading(id: headings.count, level: level, title: title))
      case .quote(let inner): collect(from: inner, into: &headings)
      case .list(_, let items): for item in items { collect(from: item, into: &headings) }
      case .paragraph, .code, .rule, .picture, .table: continue
      }
    }
  }
}

extension Inline {
  /// The plain text of the inline, without line breaks.
  fileprivate var words: String {
    switch self {
    case .text(let words, _, _): words
    case .picture(let picture, _): picture.alt
    case .lineBreak: " "
    case .anchor: ""
    }
  }
}
