import ArgumentParser
import Foundation
import Pictures
import Socks

/// The options for the fields of a sock.
struct SockFieldOptions: ParsableArguments {
  // Unconditional, so that a negative number is not taken for an option but rejected with a reason.
  @Option(
    parsing: .unconditional, help: ArgumentHelp("From 0, bone dry, to 100.", valueName: "number"))
  var sogginess: Int?
  @Option(help: ArgumentHelp("As in “argyle”.", valueName: "text"))
  var pattern: String?
  @Option(help: ArgumentHelp("As in “red”.", valueName: "text"))
  var colour: String?
  @Option(help: ArgumentHelp("Notes, of any number of lines.", valueName: "text"))
  var notes: String?
  @Option(
    help: ArgumentHelp(
      "The path of a file, an http or https address, bundled:NAME, or none.",
      valueName: "place"))
  var picture: String?

  /// Returns the options as changes; fields without an option are left out.
  ///
  /// - Throws: ``SockError``, or ``CommandFailure`` for a file that is no picture.
  func edits() throws -> [SockEdit] {
    var edits: [SockEdit] = []
    if let sogginess { edits.append(.sogginess(sogginess)) }
    if let pattern { edits.append(.pattern(pattern)) }
    if let colour { edits.append(.colour(colour)) }
    if let notes { edits.append(.notes(notes)) }
    if let picture, picture == "none" {
      edits.append(.picture(nil))
    } else if let picture {
      guard let whole = SockPicture(typed: picture) else {
        throw SockError.invalid(.noPicture)
      }
      if case .file(let path) = whole { try Self.check(path, typed: picture) }
      edits.append(.picture(whole))
    }
    return edits
  }

  private static func check(_ path: String, typed: String) throws(CommandFailure) {
    do throws(PictureError) {
      try PictureFile.check(path)
    } catch {
      let isMissing = if case .notFound = error { true } else { false }
      let name = "“\(printable(typed))”"
      throw CommandFailure(
        status: isMissing ? .notThere : .badData,
        isMissing ? "There is no file \(name)." : "\(name) cannot be the picture. \(error.what)",
        advice: error.adviceForNaming)
    }
  }
}

extension SocksCommand {
  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a sock to the drawer.")
    @Argument(help: "Its name.") var name: String
    @OptionGroup var fields: SockFieldOptions
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let draft = SockDraft([.name(name)] + (try fields.edits()))
      let drawer = try options.drawer()
      try await drawer.add(draft)
      let sock = try await drawer.sock(draft.id)
      try output.print(sock) { "Added \(sock.title)." }
    }
  }

  struct Set: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Change a sock.",
      discussion:
        "Fields that are not given stay as they are. The change is saved when the command ends.")
    @OptionGroup var named: NamedSock
    @Option(help: ArgumentHelp("Its name.", valueName: "text")) var name: String?
    @OptionGroup var fields: SockFieldOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      let texts = [name, fields.pattern, fields.colour, fields.notes, fields.picture]
      guard fields.sogginess != nil || texts.contains(where: { $0 != nil }) else {
        throw ValidationError("Give at least one change, such as --sogginess 40.")
      }
    }

    func run() async throws {
      let edits = (name.map { [SockEdit.name($0)] } ?? []) + (try fields.edits())
      let (drawer, id) = try await named.find()
      try await drawer.update(id, edits)
      let sock = try await drawer.sock(id)
      try output.print(sock) { "Changed \(sock.title)." }
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove a sock from the drawer.")
    @OptionGroup var named: NamedSock
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let (drawer, id) = try await named.find()
      let sock = try await drawer.sock(id)
      try await drawer.remove(sock.id)
      try output.print(sock) { "Removed \(sock.title)." }
    }
  }

  struct Pair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pair", abstract: "Make two socks a pair.",
      discussion: "A sock that was paired with one of them becomes single.")
    @Argument(help: "The id of one sock, or its beginning.") var first: String
    @Argument(help: "The id of the other sock, or its beginning.") var second: String
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let drawer = try options.drawer()
      let ids = [try await drawer.id(named: first), try await drawer.id(named: second)]
      try await drawer.pair(ids[0], ids[1])
      let socks = [try await drawer.sock(ids[0]), try await drawer.sock(ids[1])]
      try output.print(socks) { "Paired \(socks[0].title) and \(socks[1].title)." }
    }
  }

  struct Unpair: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unpair", abstract: "Separate a pair.")
    @OptionGroup var named: NamedSock
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let (drawer, id) = try await named.find()
      try await drawer.unpair(id)
      let sock = try await drawer.sock(id)
      try output.print(sock) { "\(sock.title) is single." }
    }
  }
}
