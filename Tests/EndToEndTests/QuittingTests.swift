import Foundation
import PseudoTerminal
import Testing

@testable import Articles

/// Tests that a change right before the end is saved, or that the program says that it is not.
struct QuittingTests {
  private let home: Home

  init() async throws {
    home = try Home()
    let lines = (1...60).map { "&lt;p&gt;Line \($0) of it.&lt;/p&gt;" }.joined()
    let path = try home.write(
      """
      <rss version="2.0"><channel><title>Alpha</title>
      <item><title>Apple</title><guid>1</guid><description>\(lines)</description></item>
      <item><title>Apricot</title><guid>2</guid></item></channel></rss>
      """, to: "alpha.xml")
    _ = try await Library(store: ArticleStore(directory: home.dataDirectory)).addition(of: path)
  }

  enum WayOut: String, CaseIterable, Sendable {
    case key = "q"
    case interrupt = "Ctrl-C"
    case terminate = "SIGTERM"
    case hangUp = "SIGHUP"
    case closed = "the terminal is closed"

    func leave(_ terminal: PseudoTerminal) {
      switch self {
      case .key: terminal.send("q")
      case .interrupt: terminal.send("\u{3}")
      case .terminate: terminal.signal(SIGTERM)
      case .hangUp: terminal.signal(SIGHUP)
      case .closed: terminal.hangUp()
      }
    }

    /// Returns whether the program may end like this after everything was saved.
    func isGood(_ ending: PseudoTerminal.Ending) -> Bool {
      switch self {
      case .key: ending == .exited(0)
      case .interrupt: ending == .signalled(SIGINT)
      case .terminate: ending == .signalled(SIGTERM)
      case .hangUp: ending == .signalled(SIGHUP)
      // The kernel sends a signal, and reading fails: either may be noticed first.
      case .closed: ending == .exited(0) || ending == .signalled(SIGHUP)
      }
    }
  }

  private func openReader() throws -> PseudoTerminal {
    let terminal = try home.openReader()
    try terminal.waitUntil("the articles are listed") {
      $0.isWhole && $0.selectedText.contains("Apple") && $0.text.contains("Apricot")
    }
    return terminal
  }

  private func starred() async throws -> [String] {
    try await ArticleStore(directory: home.dataDirectory).articles(matching: .starred).map(\.title)
  }

  @Test func `a mark and q in one write keep the mark`() async throws {
    let terminal = try openReader()
    #expect(try terminal.leave(by: "sq") == .exited(0))
    #expect(try await starred() == ["Apple"])
  }

  @Test func `a mark and Ctrl-C in one write keep the mark`() async throws {
    let terminal = try openReader()
    terminal.send("s\u{03}")
    #expect(try terminal.waitForExit() == .signalled(SIGINT))
    #expect(try await starred() == ["Apple"])
  }

  @Test func `what was typed before a signal counts`() async throws {
    let terminal = try openReader()
    terminal.send("s")
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForExit() == .signalled(SIGTERM))
    #expect(try await starred() == ["Apple"])
  }

  @Test(arguments: WayOut.allCases)
  func `the end waits for a mark while another program writes`(way: WayOut) async throws {
    let terminal = try openReader()
    let lock = try StoreLock(on: "articles", in: home)
    try terminal.send("s", until: "the star is there") { $0.selectedText.contains("★") }
    way.leave(terminal)
    if way != .closed {
      try terminal.waitUntil("it says that it is saving") { $0.footer.hasSuffix("saving") }
    }
    try lock.release()
    #expect(way.isGood(try terminal.waitForExit()))
    #expect(try await starred() == ["Apple"])
  }

  @Test(arguments: WayOut.allCases)
  func `a mark that cannot be saved in time is named, and the status says so`(
    way: WayOut
  ) async throws {
    let terminal = try openReader()
    let lock = try StoreLock(on: "articles", in: home)
    try terminal.send("s", until: "the star is there") { $0.selectedText.contains("★") }
    way.leave(terminal)
    // If the store had given up waiting for the lock, that would be named as the reason.
    #expect(try terminal.waitForExit() == .exited(75))
    if way != .closed {
      let words = String(decoding: terminal.output, as: UTF8.self)
      #expect(words.hasSuffix("argyle: “Apple” was not starred.\r\n"))
    }
    let log = try home.text(of: "state/argyle/argyle.log")
    #expect(log.contains("argyle: “Apple” was not starred.\n"))
    try lock.release()
    #expect(try await starred() == [])
  }

  @Test func `a whole list that cannot be marked in time is named with its number`() async throws {
    let terminal = try openReader()
    let lock = try StoreLock(on: "articles", in: home)
    terminal.send("A")
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForExit() == .exited(75))
    let words = String(decoding: terminal.output, as: UTF8.self)
    #expect(words.hasSuffix("argyle: 2 articles were not marked as read.\r\n"))
    try lock.release()
  }

  @Test func `a place in a text that cannot be saved in time is named`() async throws {
    let terminal = try openReader()
    try terminal.send("\r", until: "its text is there") { $0.text.contains("Line 1 of it.") }
    let store = try ArticleStore(directory: home.dataDirectory)
    while try await !store.articles(matching: .unread).map(\.title).elementsEqual(["Apricot"]) {
      await Task.yield()
    }
    let lock = try StoreLock(on: "articles", in: home)
    try terminal.send("  ", until: "it is scrolled") { $0.text.contains("Line 20 of it.") }
    terminal.signal(SIGTERM)
    #expect(try terminal.waitForExit() == .exited(75))
    let words = String(decoding: terminal.output, as: UTF8.self)
    #expect(words.hasSuffix("argyle: Your place in “Apple” was not saved.\r\n"))
    try lock.release()
  }

  @Test(arguments: WayOut.allCases)
  func `a change of the drawer that cannot be saved in time is kept, and saved at the next start`(
    way: WayOut
  ) throws {
    var terminal = try home.openDrawer()
    let first = "Christmas, with snow on it"
    let lock = try StoreLock(on: "socks", in: home)
    try terminal.send("+", until: "it is being saved") { $0.selectedText.hasSuffix("saving") }
    way.leave(terminal)
    #expect(way.isGood(try terminal.waitForExit()))
    try lock.release()
    #expect(try DrawerFile(in: home).sogginess(of: first) == 3)
    terminal = try home.openDrawer()
    try terminal.waitUntil("it is saved after all") {
      try $0.listedSogginess[first] == 5 && DrawerFile(in: home).sogginess(of: first) == 5
    }
    #expect(try terminal.leave() == .exited(0))
  }
}
