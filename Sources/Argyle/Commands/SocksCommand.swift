import ArgumentParser
import Articles
import Foundation
import Socks

/// The `socks` command: lists, changes, imports and exports socks.
struct SocksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "socks", abstract: "List, change, import and export socks.",
    discussion:
      "A sock is named by its id. The beginning of the id is enough where no other id begins like it.",
    subcommands: [
      List.self, Show.self, Add.self, Set.self, Remove.self, Pair.self, Unpair.self, Import.self,
      Export.self,
    ],
    defaultSubcommand: List.self)

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the socks.")
    @Option(
      help: ArgumentHelp(
        "Only socks with this text in their name, pattern, colour or notes.", valueName: "text"))
    var filter = ""
    @Flag(help: "Only socks without a partner.") var single = false
    @Option(help: ArgumentHelp("What to sort by.", valueName: "field"))
    var sort = SockOrder.Key.name
    @Flag(help: "Reverse the order.") var descending = false
    @OptionGroup var unknown: UnknownWords
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      try unknown.refuse(in: SocksCommand.self)
      let query = SockQuery(
        filter: SockFilter(text: filter, isPaired: single ? false : nil),
        order: SockOrder(by: sort, descending: descending))
      let socks = try await options.drawer().socks(0..<Int.max, query)
      let note =
        filter.isEmpty && !single
        ? "There are no socks. To add one: argyle socks add NAME" : "No socks."
      try output.print(socks, noteIfEmpty: note) { SockTable(socks).text }
    }
  }

  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a sock.")
    @OptionGroup var named: NamedSock
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let (drawer, id) = try await named.find()
      let sock = try await drawer.sock(id)
      var other: Sock?
      if let pair = sock.pair { other = try? await drawer.sock(pair) }
      try output.print(sock) { [other] in sock.lines(other: other) }
    }
  }
}

extension SockOrder.Key: ExpressibleByArgument {}

/// The argument that names the sock of a command.
struct NamedSock: ParsableArguments {
  @Argument(help: "The sock's id, or its beginning.") var id: String
  @OptionGroup var options: LibraryOptions

  /// Returns the drawer and the ID of the sock.
  func find() async throws -> (drawer: EmbeddedSockStore, id: Sock.ID) {
    let drawer = try options.drawer()
    return (drawer, try await drawer.id(named: id))
  }
}

extension LibraryOptions {
  func drawer() throws -> EmbeddedSockStore {
    try EmbeddedSockStore(directory: settings.dataDirectory, bundled: BundledDrawer.socks)
  }
}

extension EmbeddedSockStore {
  /// Returns the only ID that begins with the text.
  func id(named text: String) async throws -> Sock.ID {
    let found = try await ids(withPrefix: text, limit: 2)
    guard let id = found.first, !text.isEmpty else {
      throw CommandFailure(
        status: .notThere,
        "There is no sock whose id begins with “\(printable(String(text.prefix(40))))”.",
        advice: "argyle socks list prints the ids of all socks.")
    }
    guard found.count == 1 else {
      throw CommandFailure(
        status: .badData,
        "More than one sock has an id that begins with “\(printable(String(text.prefix(40))))”.",
        advice: "Give more of the id.")
    }
    return id
  }
}
