import Foundation
import Socks

/// The contents of a new drawer: pairs and single socks, with every kind of picture that can cause
/// trouble.
enum BundledDrawer {
  static let socks: [Sock] = pairs.flatMap(\.socks) + singles

  /// The date at which all of them were added: the day of the first release.
  private static let date = Date(timeIntervalSince1970: 1_795_219_200)

  // MARK: Pairs

  private struct Pair {
    let numbers: (Int, Int)
    let name: String
    let picture: String
    let sogginess: (Int, Int)
    let pattern: String
    let colour: String
    var notes = ""

    var socks: [Sock] {
      [("left", numbers.0, sogginess.0), ("right", numbers.1, sogginess.1)].map {
        side, number, sogginess in
        Sock(
          id: id(number), name: "\(name), \(side)", picture: .bundled(picture),
          sogginess: sogginess, pattern: pattern, colour: colour,
          pair: id(number == numbers.0 ? numbers.1 : numbers.0), notes: notes, created: date,
          changed: date)
      }
    }
  }

  private static let pairs = [
    Pair(
      numbers: (1, 2), name: "Sunday argyle", picture: "argyle-red", sogginess: (4, 6),
      pattern: "argyle", colour: "red", notes: "The ones the drawer is named after."),
    Pair(
      numbers: (3, 4), name: "Sailor", picture: "striped-navy", sogginess: (38, 41),
      pattern: "striped", colour: "navy"),
    Pair(
      numbers: (5, 6), name: "Polka", picture: "dots-yellow", sogginess: (12, 12),
      pattern: "dots", colour: "yellow"),
    Pair(
      numbers: (7, 8), name: "Grandmother's", picture: "fair-isle-blue", sogginess: (0, 0),
      pattern: "fair isle", colour: "blue", notes: "Wash by hand.\nNever, ever tumble dry."),
    Pair(
      numbers: (9, 10), name: "Valentine", picture: "hearts-pink", sogginess: (21, 17),
      pattern: "hearts", colour: "pink"),
    Pair(
      numbers: (11, 12), name: "Office", picture: "plain-black", sogginess: (9, 8),
      pattern: "plain", colour: "black"),
    Pair(
      numbers: (13, 14), name: "Stargazer", picture: "stars-navy", sogginess: (55, 2),
      pattern: "stars", colour: "navy", notes: "The left one stepped into a puddle."),
  ]

  // MARK: Single socks

  private static let singles = [
    single(
      15, "Grey wool, darned twice", .bundled("herringbone-grey"), 33, "herringbone", "grey",
      "Heel and toe. There is no third time."),
    single(16, "Hiking sock, still wet", .bundled("hiking-moss"), 92, "mottled", "moss"),
    single(17, "Office, one too many", .bundled("plain-black"), 7, "plain", "black"),
    single(18, "Office, of another office", .bundled("plain-black"), 15, "plain", "black"),
    single(19, "White, once", .bundled("plain-white"), 26, "plain", "white"),
    single(20, "Christmas, with snow on it", .bundled("snow-red"), 3, "snow", "red"),
    single(21, "Rainbow", .bundled("striped-rainbow"), 48, "striped", "rainbow"),
    single(22, "Tiger", .bundled("striped-tiger"), 61, "striped", "orange"),
    single(23, "Picnic", .bundled("gingham-green"), 70, "gingham", "green", "Smells of grass."),
    single(24, "Golf, of an uncle", .bundled("argyle-green"), 11, "argyle", "green"),
    single(25, "Rainy day argyle", .bundled("argyle-grey"), 85, "argyle", "grey"),
    single(26, "Zigzag at sea", .bundled("chevron-teal"), 44, "chevron", "teal"),
    single(27, "Zigzag at night", .bundled("chevron-purple"), 29, "chevron", "purple"),
    single(28, "Plum", .bundled("dots-plum"), 19, "dots", "plum"),
    single(29, "Gingerbread", .bundled("fair-isle-brown"), 5, "fair isle", "brown"),
    single(30, "Hound", .bundled("houndstooth-black"), 52, "houndstooth", "black"),
    single(31, "Fisherman's cable", .bundled("cable-cream"), 100, "cable", "cream", "Overboard."),
    single(32, "The one that nobody has seen", nil, 50, "unknown", "unknown"),
    single(
      33, "Moth's", .bundled("moth-eaten"), 1, "holes", "brown", "The picture is gone, too."),
    single(
      34, "Half a sock", .bundled("broken"), 1, "plain", "white",
      "The scissors were very near, and got the picture as well."),
  ]

  private static func single(
    _ number: Int, _ name: String, _ picture: SockPicture?, _ sogginess: Int, _ pattern: String,
    _ colour: String, _ notes: String = ""
  ) -> Sock {
    Sock(
      id: id(number), name: name, picture: picture, sogginess: sogginess, pattern: pattern,
      colour: colour, notes: notes, created: date, changed: date)
  }

  /// Returns the same ID on every machine, so that a drawer can be moved between machines.
  ///
  /// The IDs differ from their first digits on, so that shortened IDs do too.
  private static func id(_ number: Int) -> UUID {
    let mixed = UInt32(truncatingIfNeeded: number) &* 2_654_435_761
    func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: mixed >> (24 - 8 * index)) }
    return UUID(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), 0x50, 0xC5, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0,
        UInt8(truncatingIfNeeded: number)
      ))
  }
}
