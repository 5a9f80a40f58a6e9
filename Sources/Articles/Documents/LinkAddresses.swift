/// Where the links of a document lead, for what writes it as text.
///
/// A link around many paragraphs is written in each of them. When the addresses take many times the
/// room that they have in the document, further links are written without them.
final class LinkAddresses {
  private let links: [Link]
  private var room: Int

  init(_ links: [Link]) {
    self.links = links
    room = (256 << 10) + 16 * links.reduce(0) { $0 + $1.address.utf8.count }
  }

  /// Nil where there is none, as for jumps.
  func address(of number: Int) -> String? {
    guard links.indices.contains(number - 1), links[number - 1].number == number else { return nil }
    let address = links[number - 1].address
    guard address.utf8.count <= room else { return nil }
    room -= address.utf8.count
    return address
  }
}
