import Articles
import Foundation
import Loading
import LoadingTesting
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle

/// Tests of the messages in the box of the downloads, and around it.
@MainActor
@Suite struct DownloadSheetTests {
  private static func download(
    _ state: Download.State, _ id: Download.ID = .init(rawValue: 1)
  ) -> Download {
    Download(
      id: id, articleID: nil, feedTitle: "Cast", title: "Wool",
      enclosure: Attachment(address: "https://example.org/1"), state: state)
  }

  /// Returns the screen of a reader with downloads of these states, after some keys.
  private func text(
    after keys: String, _ states: Download.State..., width: Int = 80, height: Int = 24
  ) throws -> String {
    try text(after: keys, states, width, height)
  }

  private func text(
    after keys: String, _ states: [Download.State], _ width: Int, _ height: Int
  ) throws -> String {
    let downloads = (states.isEmpty ? [.done(path: "/x")] : states).enumerated().map {
      Self.download($0.element, Download.ID(rawValue: Int64($0.offset) + 1))
    }
    let scene = Scene.program { $0.downloads.stored = .constant(downloads) }
    let still = Still(scene, width, height)
    still.play(try KeyScript(keys))
    defer { still.end() }
    return still.frame.text
  }

  @Test func `a message about articles does not move into the box, and comes back after it`() throws
  {
    #expect(try text(after: "@1 A @2").contains("marked as read. u to undo."))
    let open = try text(after: "@1 A @2 I @2.5")
    #expect(open.contains("Downloads"))
    #expect(!open.contains("marked as read."))
    #expect(try text(after: "@1 A @2 I @2.5 esc").contains("marked as read. u to undo."))
    #expect(try !text(after: "@1 A @2 I @2.5 esc @8").contains("marked as read."))
  }

  @Test func `the list of keys opens in front of the box, with the keys of the box`() throws {
    let keys = try text(after: "@1 I @2 ?")
    #expect(keys.contains("╭─ Keys"))
    #expect(keys.contains("move down"))
    #expect(!keys.contains("next unread"))
    #expect(try text(after: "@1 I @2 ? ?") == text(after: "@1 I @2"))
  }

  @Test func `why a download failed is said while it waits for its next attempt, too`() throws {
    let scene = Scene.program {
      $0.downloads.stored = .constant([Self.download(.waiting)])
      $0.downloads.fetch = { _ in
        Loader<Download>.failure(DownloadError.page)
          .retrying(limit: 3, backoff: Backoff { _ in .seconds(60) })
      }
    }
    let still = Still(scene, 80, 24)
    still.play(try KeyScript("@1 I @2"))
    defer { still.end() }
    let box = still.frame.text
    #expect(box.contains("failed, tried again soon"), "\(box)")
    #expect(box.contains("The server sent a web page in place of the file."), "\(box)")
  }

  @Test func `on a small screen the reason of a failure leaves room for the list`() throws {
    let failed = Download.State.failed(
      UserMessage(what: "The file is not there any more.", advice: "Try again later."))
    let box = try text(after: "@1 I @2", failed, .paused, width: 20, height: 5)
    #expect(box.contains("Wool"))
    #expect(box.contains("The file is"))
    #expect(try text(after: "@1 I @2 j", failed, .paused, width: 20, height: 5).contains("stopped"))
  }

  @Test func `only a file that is complete is offered to be played`() throws {
    #expect(try text(after: "@1 I @2").contains("Enter play"))
    #expect(try !text(after: "@1 I @2", .paused).contains("play"))
    for key in ["enter", "m"] {
      #expect(
        try text(after: "@1 I @2 \(key) @2.5", .paused)
          .contains("It has not been downloaded completely."))
    }
  }

  @Test func `where a server asks to wait, the box and the command line say until when`() throws {
    let soon = UserMessage(
      what: "It is busy.", advice: "Try again later.", retryDate: Date.now + 86_400)
    let words = "The server asks to wait until"
    let box = try text(after: "@1 I @2", .failed(soon))
    #expect(box.contains("It is busy.") && box.contains(words), "\(box)")
    #expect(soon.text.hasPrefix("It is busy. \(words)"))
    let over = UserMessage(
      what: "It is busy.", advice: "Try again later.", retryDate: .distantPast)
    #expect(try text(after: "@1 I @2", .failed(over)).contains("Try again later."))
    #expect(over.text == "It is busy. Try again later.")
  }

  @Test(.timeLimit(.minutes(10)))
  func `what was removed is selected again when that is undone`() async throws {
    let all = (1...3).map { Self.download(.done(path: "/x"), Download.ID(rawValue: $0)) }
    let stored = Mutex(all)
    let runtime = ManualRuntime()
    var source = DemoScript(.full).source
    source.downloads.stored = Loader { _ in stored.withLock(\.self) }
    source.downloads.remove = { id in stored.withLock { $0.removeAll { $0.id == id } } }
    source.downloads.restore = { _ in stored.withLock { $0 = all } }
    let model = ReaderModel(source, runtime)
    let size = Size(width: 80, height: 20)
    let stage = Stage(size.width, size.height, runtime: runtime) {
      DownloadSheet(model: model, days: .local, size: size)
    }
    model.showDownloads()
    await stage.settle { model.downloads.all.count == 3 }
    model.removeDownload(all[2])
    await stage.settle { model.downloads.all.count == 2 }
    model.undoDownload()
    await stage.settle {
      model.downloads.all.count == 3 && model.downloads.selection == all[2].id
    }
    stage.end()
  }

  @Test func `the footer has the keys that do something for the selected download`() throws {
    let alone = try text(after: "@1 I @2", .paused)
    #expect(alone.contains("s go on") && !alone.contains(" move "), "\(alone)")
    let first = try text(after: "@1 I @2", .waiting, .done(path: "/x"))
    #expect(first.contains("s stop  J move down") && !first.contains("move up"), "\(first)")
    let last = try text(after: "@1 I @2 j @3", .waiting, .done(path: "/x"))
    #expect(last.contains("K move up") && !last.contains("move down"), "\(last)")
    #expect(!last.contains("s stop"))
  }

  @Test func `the keys that open the box and play an episode work in it, too`() throws {
    let waiting = try text(after: "@1 I @2 P @2.5", .waiting)
    #expect(waiting.contains("It has not been downloaded completely."), "\(waiting)")
    let closed = try text(after: "@1 I @2 I @2.5", .waiting)
    #expect(!closed.contains("Downloads"), "\(closed)")
  }

  @Test func `on a large screen the box has room for more downloads`() throws {
    let states = Array(repeating: Download.State.waiting, count: 24)
    let shown = try text(after: "@1 I @2", states, 200, 50)
    #expect(shown.components(separatedBy: "waiting").count - 1 == 24, "\(shown)")
  }

  @Test(arguments: [(80, 24), (40, 15)])
  func `a message of the box ends with it`(width: Int, height: Int) throws {
    let said = try text(after: "@1 I @2 s @2.5", width: width, height: height)
    #expect(said.contains("It is downloaded."))
    let closed = try text(after: "@1 I @2 s @2.5 esc @3", width: width, height: height)
    #expect(!closed.contains("Downloads"))
    #expect(!closed.contains("It is downloaded."))
  }
}
