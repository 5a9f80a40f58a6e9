import Limits

/// Reads and writes OPML 1.0 and 2.0, in which readers exchange lists of feeds.
///
/// ```swift
/// let list = try OPML.read(bytes)
/// for refusal in list.refusals { print(refusal.entry, refusal.sentence) }
/// ```
public enum OPML {
  /// The largest document, in bytes.
  public static let sizeLimit = 16 << 20

  /// Parses a list; harmful entries are refused and reported.
  ///
  /// Nothing outside of the bytes is ever loaded.
  ///
  /// - Parameters:
  ///   - isOwn: whether the user has exported the list himself: then it may name files of this
  ///     machine and the programs of ``Library/Options/programs``. A list of others must not, since
  ///     it would choose what is read here.
  ///   - programs: the names of these programs.
  /// - Throws: ``OPMLError``, when nothing can be imported.
  public static func read(
    _ bytes: [UInt8], isOwn: Bool = false, programs: Set<String> = []
  ) throws(OPMLError) -> SubscriptionList {
    try read(
      bytes, source: isOwn ? .user(programs: programs) : .others,
      budget: Budget(bytes: bytes.count))
  }

  static func read(
    _ bytes: [UInt8], source: SubscriptionList.Source = .others, budget: Budget
  ) throws(OPMLError) -> SubscriptionList {
    guard bytes.count <= sizeLimit else { throw .document(.tooLarge(limit: sizeLimit)) }
    do throws(FeedError) {
      let text = try XMLRepair.repair(SourceText.utf8(bytes, charset: nil), budget: budget)
      guard let first = text.first(where: { !isWhiteSpace($0) }) else { throw FeedError.empty }
      guard first == UInt8(ascii: "<") else { throw FeedError.notAFeed(found: .text) }
      var builder = OPMLBuilder(source: source, budget: budget)
      try XMLSource.parse(text, into: &builder, budget: budget)
      return builder.list
    } catch {
      throw .document(error)
    }
  }

  /// Returns an OPML document for a list, in UTF-8.
  ///
  /// In each folder, its feeds come first, in the order of the list; then its subfolders in the
  /// order of their first feeds, with empty ones last.
  public static func text(
    _ list: some Sequence<Subscription>, emptyFolders: [FeedFolder] = [], title: String = "Feeds"
  ) -> String {
    var writer = OPMLWriter()
    writer.write(Array(list), emptyFolders: emptyFolders, title: title)
    return writer.output
  }
}

/// Why a document is not a list of feeds.
public enum OPMLError: MessageError, Sendable, Hashable {
  case document(FeedError)

  public var message: UserMessage {
    switch self {
    case .document(let error):
      switch error {
      case .empty:
        UserMessage(what: "The list of feeds is empty.", advice: "Export it again.")
      case .notAFeed:
        UserMessage(
          what: "This is not a list of feeds.", advice: "Choose a file in OPML format.")
      case .truncated(let line):
        UserMessage(
          what: "The list of feeds is incomplete.", advice: "Export it again.",
          detail: "It ends in line \(line)")
      case .malformed(let line, let reason):
        UserMessage(
          what: "The list of feeds has an error in line \(line) and cannot be read.",
          advice: "Export it again, or correct it.", detail: reason)
      case .ownEntity(let name):
        UserMessage(
          what: "The list defines entities of its own, which is refused because it can do harm.",
          advice: "Export the list again, from a program that you trust.", detail: "Entity \(name)")
      case .tooDeep(let line):
        UserMessage(
          what: "The folders in the list are nested too deeply.",
          advice: "Export the list again, from a program that you trust.", detail: "Line \(line)")
      case .tooLarge(let limit):
        UserMessage(
          what: "The list of feeds is larger than \(limit >> 20) MB.",
          advice: "Split it into smaller lists.")
      case .tooMuch(let excess):
        UserMessage(
          what: "The list of feeds has \(excess.words).",
          advice: "Export the list again, from a program that you trust.")
      case .cancelled:
        UserMessage(what: "The import was cancelled.", advice: "Start it again.")
      }
    }
  }
}
