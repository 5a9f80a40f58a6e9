import Articles
import Foundation
import HTTP
import Loading
import LoadingTesting
import Pictures
import Socks
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle

/// Tests of pictures between the paragraphs of an article, with expected lines written by hand.
@MainActor
@Suite struct ArticlePictureTests {
  /// The outcome of a load, and when it comes.
  private struct Outcome: Sendable {
    let time: Duration
    let cells: CellBuffer?

    static func cells(_ cells: CellBuffer, after time: Duration) -> Outcome {
      Outcome(time: time, cells: cells)
    }
    static let failure = Outcome(time: .milliseconds(100), cells: nil)
  }

  /// Pictures whose loads follow a script, and the number of loads of each.
  private final class Script: Sendable {
    private let counts = Mutex<[String: Int]>([:])
    private let outcomes: [String: [Outcome]]

    init(_ outcomes: [String: [Outcome]]) { self.outcomes = outcomes }

    func count(_ address: String) -> Int { counts.withLock { $0[address] ?? 0 } }

    var supply: PictureSupply {
      PictureSupply { [self] request in
        Loader { context in
          let outcome = self.next(request.source.address)
          try await context.clock.sleep(for: outcome.time)
          guard let cells = outcome.cells else {
            throw DescribedError("It did not come.", advice: "Ask again.")
          }
          return cells
        }
      }
    }

    private func next(_ address: String) -> Outcome {
      let turn = counts.withLock { counts in
        defer { counts[address, default: 0] += 1 }
        return counts[address] ?? 0
      }
      let all = outcomes[address] ?? []
      return turn < all.count ? all[turn] : .failure
    }
  }

  private static func cells(_ mark: String, _ width: Int, _ height: Int) -> CellBuffer {
    var cells = CellBuffer(size: Size(width: width, height: height))
    for y in 0..<height {
      cells.write(String(repeating: mark, count: width), at: Point(x: 0, y: y))
    }
    return cells
  }

  private func still(
    _ blocks: [Block], _ script: Script, width: Int = 26, height: Int = 12, isPlain: Bool = false,
    remote: RemotePictures = .shown, supply: PictureSupply? = nil, days: DayText = .local
  ) -> Still {
    let document = Document(
      blocks: blocks, links: [Link(number: 1, address: "http://a/large")])
    let content = ArticleDocument(
      article: Article(1, of: "", title: ""),
      document: document)
    let scene = Scene("pictures", "", at: .zero) { runtime in
      ArticleText(
        content: content, proxy: ScrollProxy(),
        pictures: isPlain
          ? nil
          : DocumentPictures(
            pictures: ArticlePictures(
              supply ?? script.supply, clock: runtime.clock, scheduler: runtime.scheduler),
            height: 6, remote: remote)
      ) { _, _ in }
    }
    return Still(
      scene, size: Size(width: width, height: height),
      environment: EnvironmentValues(DisplaySettings(isPlain: isPlain), days: days))
  }

  private func lines(_ still: Still) -> [String] {
    // Without the scroll bar at the right edge.
    still.frame.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.reversed().drop { $0 == "▐" || $0 == " " }.reversed())
    }
  }

  private func press(_ keys: String, in still: Still) throws { still.play(try KeyScript(keys)) }

  private static let sock = Block.picture(Picture(alt: "A grey sock", address: "http://a/1.png"))
  private static func text(_ words: String) -> Block { .paragraph([.text(words)]) }
  private static let page = [text("Before"), sock, text("After")]

  @Test func `room is kept for a picture that is on its way, above its words`() {
    let script = Script(["http://a/1.png": [.cells(Self.cells("#", 8, 3), after: .seconds(1))]])
    let still = still(Self.page, script)
    #expect(
      lines(still)[0...10] == ["Before", "", "", "", "", "", "", "", "A grey sock", "", "After"])
    still.run(to: .milliseconds(300))
    let blocks = String(repeating: "▇", count: 24)
    #expect(
      lines(still)[0...10] == [
        "Before", "", blocks, blocks, blocks, blocks, blocks, blocks, "A grey sock", "", "After",
      ])
    still.run(to: .seconds(1))
    #expect(
      lines(still)[0...7] == [
        "Before", "", "########", "########", "########", "A grey sock", "", "After",
      ])
    still.end()
  }

  @Test func `a size that the text tells is kept from the start`() throws {
    let script = Script(["http://a/1.png": [.cells(Self.cells("#", 4, 2), after: .seconds(1))]])
    // 32 by 32 pixels are 4 by 2 cells of 8 by 16 pixels.
    let size = try #require(Picture.DeclaredSize(width: 32, height: 32))
    let picture = Picture(alt: "Small", address: "http://a/1.png", declaredSize: size)
    let still = still([.picture(picture), Self.text("After")], script)
    still.run(to: .milliseconds(300))
    #expect(lines(still)[0...4] == ["▇▇▇▇", "▇▇▇▇", "Small", "", "After"])
    still.run(to: .seconds(1))
    #expect(lines(still)[0...4] == ["####", "####", "Small", "", "After"])
    still.end()
  }

  @Test func `a picture that fails says why in its own place, and r brings it`() throws {
    let script = Script([
      "http://a/1.png": [
        .failure, .cells(Self.cells("#", 8, 3), after: .milliseconds(100)),
      ]
    ])
    let still = still(Self.page, script)
    still.run(to: .milliseconds(300))
    #expect(
      lines(still)[0...5] == [
        "Before", "", "✗ It did not… r to retry", "A grey sock", "", "After",
      ])
    try press("@0.4 r", in: still)
    still.run(to: .seconds(1))
    #expect(
      lines(still)[0...7] == [
        "Before", "", "########", "########", "########", "A grey sock", "", "After",
      ])
    #expect(script.count("http://a/1.png") == 2)
    still.end()
  }

  @Test func `a picture whose server asks to wait says until when, and is not loaded before`()
    throws
  {
    let days = DayText(offset: { _ in 0 }, now: { Date(timeIntervalSince1970: 1_800_000_000) })
    let count = Mutex(0)
    let supply = PictureSupply { _ in
      Loader { _ in
        count.withLock { $0 += 1 }
        throw PictureError.status(429, retryDate: days.now() + 3_600)
      }
    }
    let still = still(Self.page, Script([:]), width: 80, supply: supply, days: days)
    still.run(to: .milliseconds(300))
    #expect(
      lines(still)[2]
        == "✗ The picture's server says that it gets too many requests. not before 09:00")
    try press("@0.4 r", in: still)
    still.run(to: .seconds(1))
    #expect(count.withLock(\.self) == 1)
    still.end()
  }

  @Test func `r tries again the one that has the focus, and no other`() throws {
    let turns = [Outcome.failure, .cells(Self.cells("#", 8, 3), after: .milliseconds(100))]
    let script = Script(["http://a/1.png": turns, "http://a/2.png": turns])
    let other = Block.picture(Picture(alt: "Another", address: "http://a/2.png"))
    let still = still([Self.sock, other], script, height: 20)
    still.run(to: .milliseconds(300))
    #expect(lines(still).filter { $0.contains("✗") }.count == 2)
    try press("@0.4 tab tab r", in: still)
    still.run(to: .seconds(1))
    #expect(script.count("http://a/1.png") == 1)
    #expect(script.count("http://a/2.png") == 2)
    #expect(lines(still)[0].contains("✗"))
    #expect(lines(still)[3] == "########")
    still.end()
  }

  @Test func `without the focus on one of them r tries again all that are seen`() throws {
    let turns = [Outcome.failure, .cells(Self.cells("#", 8, 3), after: .milliseconds(100))]
    let script = Script([
      "http://a/1.png": turns, "http://a/2.png": turns, "http://a/3.png": turns,
    ])
    let others = (2...3).map { Block.picture(Picture(alt: "", address: "http://a/\($0).png")) }
    let still = still(
      [Self.sock, others[0]] + (1...5).map { Self.text("\($0)") } + [others[1]], script, height: 10)
    still.run(to: .milliseconds(300))
    try press("@0.4 r", in: still)
    still.run(to: .seconds(1))
    // The third is below the screen.
    #expect([1, 2, 3].map { script.count("http://a/\($0).png") } == [2, 2, 1])
    still.end()
  }

  @Test func `a picture loads when it comes within a screenful, and is let go of when it leaves`()
    throws
  {
    let script = Script(["http://a/1.png": [.cells(Self.cells("#", 8, 3), after: .seconds(60))]])
    let still = still(
      (1...20).map { Self.text("Line \($0)") } + [Self.sock] + (21...60).map { Self.text("\($0)") },
      script, height: 10)
    still.run(to: .seconds(1))
    #expect(script.count("http://a/1.png") == 0)
    // Twenty paragraphs with a line between them: the picture begins at row 40.
    try press("@1 pgdn pgdn", in: still)
    #expect(script.count("http://a/1.png") == 0)
    try press("@1 pgdn", in: still)
    #expect(script.count("http://a/1.png") == 1)
    still.end()
  }

  @Test func `what is read stays where it is when a picture above it gets its size`() throws {
    let script = Script(["http://a/1.png": [.cells(Self.cells("#", 8, 3), after: .seconds(2))]])
    let still = still([Self.sock] + (1...30).map { Self.text("\($0)") }, script, height: 6)
    try press("@0.1 pgdn pgdn", in: still)
    let before = lines(still)
    #expect(before[0] != "")
    still.run(to: .seconds(3))
    #expect(lines(still) == before)
    try press("@3 g", in: still)
    #expect(lines(still)[0...3] == ["########", "########", "########", "A grey sock"])
    still.end()
  }

  @Test func `a picture that is not wanted is its words, and one that waits takes a line`() {
    let script = Script([:])
    let never = still(Self.page, script, remote: .words)
    never.run(to: .seconds(1))
    #expect(lines(never)[0...4] == ["Before", "", "[picture: A grey sock]", "", "After"])
    never.end()
    let waiting = still(Self.page, script, width: 40, remote: .announced)
    waiting.run(to: .seconds(1))
    #expect(
      lines(waiting)[0...5] == [
        "Before", "", "Picture not loaded.", "A grey sock", "", "After",
      ])
    waiting.end()
    #expect(script.count("http://a/1.png") == 0)
  }

  @Test func `only what shows a picture of the web has one to load`() {
    func document(_ blocks: Block...) -> Document { Document(blocks: blocks) }
    let web = Inline.picture(Picture(alt: "", address: "http://a/1.png"))
    let icon = Inline.picture(
      Picture(alt: "", address: "http://a/1.png", declaredSize: .init(width: 16, height: 16)))
    #expect(document(.quote([Self.sock])).hasWebPictures)
    #expect(document(.paragraph([.text("Before"), web])).hasWebPictures)
    #expect(document(.paragraph([icon])).hasWebPictures)
    #expect(!document(.paragraph([icon, .text("After")])).hasWebPictures)
    #expect(!document(Self.text("Words"), .rule).hasWebPictures)
    #expect(!document(.picture(Picture(alt: "", address: "file:///a.png"))).hasWebPictures)
  }

  @Test(arguments: [false, true])
  func `the key that loads pictures is free for others where there are none`(hasPicture: Bool) {
    let runtime = ManualRuntime()
    let article = Article(1, of: "", title: "One")
    let content = ArticleDocument(
      article: article, document: Document(blocks: hasPicture ? Self.page : [Self.text("One")]))
    var source = DemoScript(.full).source
    source.document = { _ in .constant(content) }
    let model = ReaderModel(source, runtime)
    model.settings.pictures = .whenAsked
    let earlier = Mutex(0)
    let stage = Stage(60, 12, environment: EnvironmentValues(DisplaySettings()), runtime: runtime) {
      ArticleScreen(model: model, article: article, days: .demo)
        .onKeyPress("p", label: "previous") { earlier.withLock { $0 += 1 } }
    }
    stage.settle()
    stage.press("p")
    #expect(earlier.withLock(\.self) == (hasPicture ? 0 : 1))
    #expect(model.remotePictures(of: article) == (hasPicture ? .shown : .announced))
  }

  @Test func `where nothing can be decoded, the words of a picture stand there once`() {
    let library = PictureLibrary(client: HTTPClient(), converterPath: "/nowhere/argyle-pictures")
    let still = still(Self.page, Script([:]), supply: PictureSupply(library))
    still.run(to: .seconds(1))
    #expect(lines(still)[0...5] == ["Before", "", "[picture]", "A grey sock", "", "After"])
    still.end()
  }

  @Test func `the words of a picture stand only where they are not cut`() async throws {
    let supply = PictureSupply(
      PictureLibrary(client: HTTPClient(), converterPath: "/nowhere/argyle-pictures"))
    let sock = SockPicture.bundled("grey")
    let page = try await supply.load(sock, Size(width: 30, height: 8), label: "wool grey").value()
    #expect(page.text == "[picture: wool grey]")
    #expect(try await supply.load(sock, SockThumbnail.size).value().size == .zero)
  }

  @Test func `in plain mode a picture is its words, and nothing is loaded`() {
    let script = Script([:])
    let still = still(Self.page, script, isPlain: true)
    still.run(to: .seconds(1))
    #expect(lines(still)[0...4] == ["Before", "", "[picture: A grey sock]", "", "After"])
    #expect(script.count("http://a/1.png") == 0)
    still.end()
  }

  @Test func `a picture that is a link has its number; one in a line of text comes below it`() {
    let script = Script([
      "http://a/1.png": [.cells(Self.cells("#", 8, 2), after: .zero)],
      "http://a/2.png": [.cells(Self.cells("+", 8, 2), after: .zero)],
    ])
    let still = still(
      [
        .paragraph([.picture(Picture(alt: "Linked", address: "http://a/1.png"), link: 1)]),
        .quote([
          .paragraph([
            .text("See "), .picture(Picture(alt: "this", address: "http://a/2.png")), .text("."),
          ])
        ]),
      ], script, height: 14)
    still.run(to: .seconds(1))
    #expect(
      lines(still)[0...8] == [
        "########", "########", "Linked[1]", "", "▎ See [picture: this].", "", "▎ ++++++++",
        "▎ ++++++++", "▎ this",
      ])
    still.end()
  }

  @Test func `only web pictures are loaded, and files where the text may have them`() {
    func source(_ address: String?) -> PictureSource? {
      ArticlePictures.request(Picture(alt: "", address: address), room: Size(width: 1, height: 1))?
        .source
    }
    #expect(source("https://a/b.png") == .web("https://a/b.png", origin: .publicContent))
    #expect(source("file:///tmp/a%20b.png") == .file("/tmp/a b.png"))
    #expect(source("file://elsewhere/a.png") == nil)
    #expect(source("file:///tmp/a%00b.png") == nil)
    #expect(source("data:image/png;base64,AA") == nil)
    #expect(source("argyle://handbook/pictures/none.png") == nil)
    #expect(source(nil) == nil)
  }

  @Test func `every picture of the handbook is painted, in any size`() throws {
    let handbook = try BundledFeed(Assets.handbook)
    var addresses: [String] = []
    for article in handbook.articles {
      for case .picture(let picture) in handbook.articleDocument(of: article.id)?.document.blocks
        ?? []
      {
        addresses.append(try #require(picture.address))
      }
    }
    #expect(addresses.count == 6)
    for address in addresses {
      let painting = try #require(Painting(at: address), "\(address)")
      for room in [
        Size(width: 1, height: 1), Size(width: 20, height: 5), Size(width: 76, height: 24),
      ] {
        let cells = painting.cells(in: room)
        #expect(cells.size == painting.size(in: room))
        #expect(cells.size.width <= room.width && cells.size.height <= room.height)
      }
    }
  }
}
