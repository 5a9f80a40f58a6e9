import Articles
import TerminalUI

/// The headings of an article as a list, from which one is gone to.
struct ContentsSheet: View {
  let document: Document
  let proxy: ScrollProxy
  /// The most rows that there is room for.
  let height: Int
  let close: @MainActor () -> Void
  @State private var selection: Int?

  private static let widest = 72

  var body: some View {
    let headings = document.headings
    // The highest level that there is stands at the edge.
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
    .frame(maxWidth: Self.widest, maxHeight: max(1, height))
    .defaultFocus()
    .onAppear {
      selection = headings.last { $0.id <= proxy.heading ?? 0 }?.id ?? headings.first?.id
    }
  }
}

/// A heading of a document.
struct DocumentHeading: Identifiable, Hashable {
  /// Which of all headings it is, from 0, those without words included.
  let id: Int
  /// 1…6.
  let level: Int
  let title: String
}

extension Document {
  /// Its headings that have words, in order.
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
  /// What there is of it in a line of plain text.
  fileprivate var words: String {
    switch self {
    case .text(let words, _, _): words
    case .picture(let picture, _): picture.alt
    case .lineBreak: " "
    case .anchor: ""
    }
  }
}
