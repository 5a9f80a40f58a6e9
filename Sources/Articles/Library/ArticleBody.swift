extension Document {
  /// Creates the document that a reader shows: the article's text and its attachments.
  ///
  /// If the text has no picture, an attached one is inserted at the top. Other attachments become
  /// links at the end, unless the text already links to them.
  init(_ text: StoredText) {
    self = HTMLRenderer.document(html: text.html, base: text.base)
    let picture = text.attachments.first { $0.kind == .picture }
    if let picture, !blocks.contains(where: \.holdsPicture) {
      blocks.insert(.picture(Picture(alt: "", address: picture.address)), at: 0)
    }
    for attachment in text.attachments where attachment.kind != .picture {
      guard !links.contains(where: { $0.address == attachment.address }) else { continue }
      let link = Link(number: links.count + 1, address: attachment.address)
      links.append(link)
      blocks.append(
        .paragraph([
          .text(attachment.summary + ": "), .text(attachment.address, link: link.number),
        ]))
    }
  }

  /// Creates the beginning of a long text; nil when the text is short, or when its beginning is
  /// only known once all of it has been read.
  init?(beginningOf text: StoredText) {
    guard !text.attachments.contains(where: { $0.kind == .picture }),
      let beginning = HTMLRenderer.beginning(html: text.html, base: text.base)
    else { return nil }
    self = beginning
  }
}

extension Block {
  fileprivate var holdsPicture: Bool {
    switch self {
    case .picture: true
    case .heading(_, let inlines), .paragraph(let inlines): inlines.contains(where: \.isPicture)
    case .quote(let blocks): blocks.contains(where: \.holdsPicture)
    case .list(_, let items): items.contains { $0.contains(where: \.holdsPicture) }
    case .table(let table):
      table.rows.contains { $0.contains { $0.contains(where: \.isPicture) } }
    case .code, .rule: false
    }
  }
}

extension Inline {
  fileprivate var isPicture: Bool {
    if case .picture = self { true } else { false }
  }
}

extension Article {
  /// Returns the article with the reading time of its feed's own text.
  ///
  /// If there is a full text, the stored reading time is that of the full text.
  func timed(by text: StoredText) -> Article {
    guard text.full != nil else { return self }
    var article = self
    article.readingMinutes = ReadingTime.minutes(html: text.html)
    return article
  }
}
