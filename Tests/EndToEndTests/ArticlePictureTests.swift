import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of pictures in articles on a real terminal, from a real server.
struct ArticlePictureTests {
  private let home: Home
  private let server: TestServer
  private let picture: [UInt8]

  init() throws {
    home = try Home()
    server = try TestServer()
    picture = Array(
      try Data(
        contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          .deletingLastPathComponent().appendingPathComponent("PicturesTests/Corpus/halves.png")))
  }

  private func serve(_ html: String) {
    server["/feed"] = .whole(
      """
      <rss version="2.0"><channel><title>Alpha</title><item><title>Apple</title><guid>1</guid>
      <link>\(server.url("/pages/apple"))</link>
      <description><![CDATA[\(html)]]></description></item></channel></rss>
      """)
  }

  private func openArticle(
    arguments: [String] = [], rows: Int = 50, adding more: [String: String] = [:]
  ) throws -> PseudoTerminal {
    let terminal = try home.openReader(arguments, rows: rows, adding: more)
    try terminal.waitUntil("the article is listed") { $0.selectedText.hasPrefix("Apple") }
    try terminal.send("\r", until: "its text is there") { $0.text.contains("The first words.") }
    return terminal
  }

  @Test func `each picture comes or fails in its own place, and r brings the one that is meant`()
    async throws
  {
    server["/pages/slow.png"] = Answer([.hold] + Answer.whole(picture).steps)
    server["/refused.png"] = .whole("", status: 500)
    server["/broken.png"] = .whole("no picture at all")
    serve(
      """
      <p>The first words.</p><p><img src="slow.png" alt="One that is slow"></p>
      <p><img src="/refused.png" alt="One that is refused"></p>
      <p><img src="/broken.png" alt="One that is broken"></p><p>The last words.</p>
      """)
    try await home.follow([server.url("/feed")])
    let terminal = try openArticle()
    try terminal.waitUntil("two have failed, one is on its way") {
      $0.text.contains("✗ The server refuses to send the picture. r to retry")
        && $0.text.contains("✗ This is not a picture.") && $0.showsPlaceholder
    }
    // The text is shown while they load, and it scrolls.
    #expect(terminal.screen.text.contains("One that is slow"))
    #expect(terminal.screen.text.contains("The last words."))

    server["/refused.png"] = .whole(picture)
    try terminal.send("\t\tr", until: "the refused one is there") {
      !$0.text.contains("✗ The server refuses") && $0.text.contains("One that is refused")
    }
    #expect(server.requests(to: "/refused.png").count == 2)
    #expect(server.requests(to: "/broken.png").count == 1)
    #expect(terminal.screen.text.contains("✗ This is not a picture."))
    #expect(terminal.screen.showsPlaceholder)
    #expect(terminal.screen.isColourful)

    server.release("/pages/slow.png")
    try terminal.waitUntil("the slow one is there") { !$0.showsPlaceholder }
    #expect(server.requests(to: "/pages/slow.png").count == 1)
    #expect(try terminal.leave(by: "qq") == .exited(0))
  }

  @Test func `an article of the public network has nothing fetched from ours, in any spelling`()
    async throws
  {
    server["/secret.png"] = .whole(picture)
    let hosts = [
      "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "LOCALHOST.",
      "x.localhost", "0", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "[64:ff9b::127.0.0.1]",
      "[2002:7f00:1::]", "①②⑦.⓪.⓪.①", "%31%32%37.0.0.1", "192.168.1.1", "10.0.0.1",
      "169.254.169.254", "100.64.0.1", "router", "nas.local", "metadata.google.internal",
      "user:password@127.0.0.1",
    ]
    let pictures = hosts.map { "<img src=\"http://\($0):\(server.port)/secret.png\">" }
    // Behind a proxy, this machine serves every host name.
    server["http://example.invalid/feed"] = .whole(
      """
      <rss version="2.0"><channel><title>Alpha</title><item><title>Apple</title><guid>1</guid>
      <enclosure url="\(server.url("/secret.png"))" type="image/png" length="1"/>
      <description><![CDATA[<p>The first words.</p>\(pictures.joined())
      <img src="http://example.invalid/redirect.png"><p>The last words.</p>]]></description>
      </item></channel></rss>
      """)
    server["http://example.invalid/redirect.png"] = .redirect(to: server.url("/secret.png"))
    try await home.follow(["http://example.invalid/feed"])
    let terminal = try openArticle(
      rows: 80, adding: ["http_proxy": server.url(""), "no_proxy": "127.0.0.1,localhost,[::1]"])
    try terminal.waitUntil("every picture's place says why it is empty") {
      $0.text.contains("The last words.") && !$0.showsPlaceholder
    }
    let refused = terminal.screen.text.components(
      separatedBy: "✗ The picture's address is in a private network.")
    #expect(refused.count > 20)
    // A retry would be refused again.
    #expect(!terminal.screen.text.contains("to retry"))
    #expect(server.requests(to: "/secret.png").isEmpty)
    #expect(
      Set(server.requests.map(\.target)).isSubset(of: [
        "http://example.invalid/feed", "http://example.invalid/redirect.png",
      ]))
  }

  @Test func `pictures wait for a key, or are words, where the configuration says so`() async throws
  {
    server["/one.png"] = .whole(picture)
    serve("<p>The first words.</p><img src=\"/one.png\" alt=\"A picture\"><p>The last words.</p>")
    try await home.followSinceHours([server.url("/feed")])
    let file = try home.write("[reader]\npictures = \"when asked\"\n", to: "config.toml")
    let terminal = try openArticle(arguments: ["--config", file])
    try terminal.waitUntil("its place says how to load it") {
      $0.text.contains("Picture not loaded. p to load")
    }
    #expect(server.requests(to: "/one.png").isEmpty)
    try terminal.send("p", until: "the picture is there") {
      $0.isColourful && !$0.text.contains("Picture not loaded.")
    }
    try home.write("[reader]\npictures = \"never\"\n", to: "config.toml")
    try terminal.waitUntil("it is words") { $0.text.contains("[picture: A picture]") }
    #expect(server.requests(to: "/one.png").count == 1)
  }

  @Test(.enabled(if: SecureServer.isAvailable, "there is no openssl command"))
  func `pictures have the certificates that feeds have`() async throws {
    let head = Array("HTTP/1.0 200 OK\r\nContent-Type: image/png\r\n\r\n".utf8)
    let secure = try await SecureServer(files: ["one.png": head + picture])
    serve(
      """
      <p>The first words.</p><img src="https://127.0.0.1:\(secure.port)/one.png"><p>The last words.
      """)
    try await home.followSinceHours([server.url("/feed")])
    let trusted = try home.write(secure.certificateText, to: "trusted.pem")
    let terminal = try openArticle(adding: ["SSL_CERT_FILE": trusted])
    try terminal.waitUntil("the picture is there") {
      $0.isColourful && !$0.showsPlaceholder && !$0.text.contains("✗")
    }
  }

  @Test func `without a network the text is there, and the picture says why it is not`()
    async throws
  {
    serve("<p>The first words.</p><img src=\"/one.png\" alt=\"A picture\"><p>The last words.</p>")
    try await home.followSinceHours([server.url("/feed")])
    server.refuseConnections()
    let terminal = try openArticle()
    try terminal.waitUntil("the picture's place says why") {
      $0.text.contains("✗ The picture's server cannot be reached.")
    }
    #expect(terminal.screen.text.contains("The last words."))
    server["/one.png"] = .whole(picture)
    try server.acceptConnections()
    try terminal.send("r", until: "the picture is there") {
      !$0.text.contains("✗") && $0.isColourful
    }
  }

  @Test func `without the server an article is read again with its pictures`() async throws {
    server["/one.png"] = .whole(picture)
    serve("<p>The first words.</p><img src=\"/one.png\" alt=\"A picture\"><p>The last words.</p>")
    try await home.followSinceHours([server.url("/feed")])
    let online = try openArticle()
    try online.waitUntil("the picture is there") { $0.isColourful && !$0.showsPlaceholder }
    let seen = online.screen.pictureRows
    #expect(!seen.isEmpty)
    #expect(try online.leave(by: "qq") == .exited(0))

    server.refuseConnections()
    let offline = try openArticle()
    try offline.waitUntil("it is there again, and so are the words around it") {
      $0.isColourful && !$0.showsPlaceholder && $0.text.contains("The last words.")
        && !$0.text.contains("✗")
    }
    #expect(offline.screen.pictureRows == seen)
    #expect(server.requests(to: "/one.png").count == 1)
    #expect(try offline.leave(by: "qq") == .exited(0))
  }

  @Test func `a picture of a folder of Markdown files is a file`() throws {
    try FileManager.default.createDirectory(
      atPath: home.path + "/notes/pictures", withIntermediateDirectories: true)
    try home.write(picture, to: "notes/pictures/a b.png")
    try home.write(
      "# Apple\n\nThe first words.\n\n![A file](pictures/a%20b.png)\n\nThe last words.\n",
      to: "notes/apple.md")
    #expect(try home.run("feeds", "add", home.path + "/notes").ending == .exited(0))
    let terminal = try openArticle()
    try terminal.waitUntil("the picture is there") {
      $0.isColourful && $0.text.contains("A file") && $0.text.contains("The last words.")
    }
  }

  @Test func `in plain mode a picture is its words`() async throws {
    serve("<p>The first words.</p><img src=\"/one.png\" alt=\"A picture\"><p>The last words.</p>")
    try await home.followSinceHours([server.url("/feed")])
    let terminal = try home.openReader(["--plain"])
    try terminal.waitUntil("the article is listed") { $0.text.contains("Apple") }
    try terminal.send("\r", until: "its text is there") { $0.text.contains("[picture: A picture]") }
    #expect(server.requests(to: "/one.png").isEmpty)
  }
}

extension EmulatedScreen {
  /// Whether there are cells of a picture: more background colours than a theme uses behind text.
  fileprivate var isColourful: Bool {
    Set((0..<rows).flatMap { row($0) }.map(\.style.background)).count > 2
  }

  /// The backgrounds of the rows between the first and the last words.
  fileprivate var pictureRows: [[EmulatedColor]] {
    guard let first = allLines.firstIndex(where: { $0.contains("The first words.") }),
      let last = allLines.firstIndex(where: { $0.contains("A picture") }), first < last
    else { return [] }
    return (first + 1..<last).map { row($0).map(\.style.background) }
  }
}
