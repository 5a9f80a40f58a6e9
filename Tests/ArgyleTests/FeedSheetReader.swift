import Articles
import Loading
import LoadingTesting
import Synchronization
import TerminalUI
import TerminalUITesting

@testable import Argyle

/// The reader on a screen with a manual clock and three feeds, for tests of its sheets.
@MainActor
final class FeedSheetReader {
  /// The calls to the library.
  final class Asked: Sendable {
    private let calls = Mutex<[String]>([])
    var all: [String] { calls.withLock { $0 } }
    func add(_ call: String) { calls.withLock { $0.append(call) } }
  }

  static let feeds = [
    feed(1, "Alpha"), feed(2, "Beta", in: ["News"], tags: ["b", "c"]),
    feed(3, "Gamma", in: ["News", "Tech"]),
  ]

  let model: ReaderModel
  let asked = Asked()
  let additions = ManualCalls<String, FeedAddition>()
  let addresses = ManualCalls<String, Feed>()
  let stage: Stage
  private let runtime = ManualRuntime()

  /// - Parameter areGone: whether another program has removed the feeds and folders.
  init(
    _ width: Int = 80, _ height: Int = 24, selected: ReaderList = .all, areGone: Bool = false
  ) {
    var source = DemoScript(.full).source
    source.feeds = .constant(Self.feeds)
    source.counts = { .constant(ArticleCounts()) }
    source.articles = { _ in .constant(ArticleListing([])) }
    source.feedEdits = FeedEdits(
      removeAccount: { [asked] id, keepsFeeds in
        asked.add("remove the account \(id.rawValue)" + (keepsFeeds ? " only" : ""))
        return keepsFeeds
      },
      add: { [additions, asked] address, _, keepsMistake in
        if keepsMistake { asked.add("keep \(address)") }
        return try await additions.call(address)
      },
      setAddress: { [addresses] address, _ in try await addresses.call(address) },
      arrange: { [asked] id, arrangement, _ in
        let folder = arrangement.folder?.path ?? []
        let reload = arrangement.reloadMinutes.map(String.init) ?? "as configured"
        asked.add(
          "\(id.rawValue) \(arrangement.title ?? "nil") \(folder) \(arrangement.tags) \(reload)")
      },
      move: { [asked] in
        asked.add("\($0.path) → \($1.path)")
        return !areGone
      },
      remove: { [asked] in
        asked.add("remove \($0.rawValue)")
        return !areGone
      },
      removeFolder: { [asked] in
        asked.add("remove \($0.path)")
        return !areGone
      })
    let model = ReaderModel(source, runtime)
    self.model = model
    let days = DayText(offset: { _ in 0 }, now: { .now })
    stage = Stage(
      width, height, environment: EnvironmentValues(DisplaySettings()), runtime: runtime
    ) {
      VStack {
        ReaderScreen(model: model, days: days)
        KeyFooter()
      }
    }
    model.select(selected)
    stage.settle()
  }

  private static func feed(
    _ number: Int64, _ title: String, in folder: [String] = [], tags: [String] = []
  ) -> FeedSummary {
    FeedSummary(
      feed: Feed(
        id: Feed.ID(rawValue: number), address: "http://a/\(number)", title: title,
        folder: FeedFolder(folder), tags: tags), articleCount: 1, unreadCount: 1)
  }

  /// Types a text and presses Enter.
  func submit(_ text: String) {
    stage.type(text)
    stage.press(.enter)
  }
}
