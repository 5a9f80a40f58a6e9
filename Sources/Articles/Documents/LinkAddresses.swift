/// Provides the addresses of a document's links to the writers of HTML and Markdown.
///
/// A link around many paragraphs is repeated in each of them. If all addresses take many times
/// their size in the document, further links are written without addresses.
final class LinkAddresses {
  private let links: [Link]
  private var room: Int

  init(_ links: [Link]) {
    self.links = links
    room = (256 << 10) + 16 * links.reduce(0) { $0 + $1.address.utf8.count }
  }

  /// Returns the address of a link; nil when it has none, such as a jump.
  func address(of number: Int) -> String? {
    guard links.indices.contains(number - 1), links[number - 1].number == number else { return nil }
    let address = links[number - 1].address
    guard address.utf8.count <= room else { return nil }
    room -= address.utf8.count
    return address
  }
}
