import Loading
import Observation
import TerminalUI

extension CatalogPage {
  static let conversation = CatalogPage(
    "Conversation", "A history that opens in the middle and grows both ways."
  ) { runtime in
    let model = ConversationModel(runtime)
    return PageContent(
      view: { ConversationView(model: model) },
      options: [
        CatalogOption(
          "Stored page", model, \.storedAge,
          ["2 h old": .seconds(7200), "10 s old": .seconds(10), "none": nil]),
        CatalogOption("Pages kept", model, \.maximumPageCount, ["3": 3, "5": 5, "all": nil]),
        CatalogOption("Page size", model, \.pageSize, ["20": 20, "10": 10, "40": 40]),
        CatalogOption("Earlier pages", model, \.earlierPages),
        CatalogOption("Later pages", model, \.laterPages),
      ],
      actions: [
        CatalogAction("Load the page before") { model.list.loadPrevious() },
        CatalogAction("Load the next page") { model.list.loadMore() },
        CatalogAction("Load what is there again") { model.list.load() },
        CatalogAction("A message arrives") { model.receiveMessage() },
        CatalogAction("Back to the unread ones") { model.list.loadFirst() },
        CatalogAction("Reset") { model.list.content.reset() },
      ],
      events: {
        (PageEvent.all(of: model.list.content, named: "list")
          + PageEvent.all(of: model.list.prepend, named: "before")
          + PageEvent.all(of: model.list.append, named: "next")).inOrder
      },
      again: { model.again }
    ) { model.code }
  }
}

/// A conversation that opens at its first unread message.
@MainActor
@Observable
final class ConversationModel {
  struct Message: Sendable, Identifiable {
    let id: Int
    let author: String
    let text: String
  }

  /// A page is found by the message that it begins, precedes or follows.
  enum Position: Sendable {
    case from(Int)
    case before(Int)
    case after(Int)
  }

  /// Whether a page beyond an end of the list can be loaded.
  enum Outcome: String, CaseIterable {
    case loads = "load"
    case failsOnce = "fail once"
    case fails = "fail"
  }

  /// The age of the stored page that is shown first; nil if none is stored.
  var storedAge: Duration? = .seconds(7200) { didSet { list = makeList() } }
  var maximumPageCount: Int? = 3 { didSet { list = makeList() } }
  var pageSize = 20 { didSet { list = makeList() } }
  var earlierPages = Outcome.loads { didSet { list = makeList() } }
  var laterPages = Outcome.loads { didSet { list = makeList() } }
  private(set) var list: PagedResource<Message, Position>
  @ObservationIgnored private let runtime: SceneRuntime
  @ObservationIgnored private var messageCount = 200

  private static let firstUnread = 101
  private static let (staleAfter, distance) = (Duration.seconds(60), 5)

  init(_ runtime: SceneRuntime) {
    self.runtime = runtime
    list = PagedResource { _ in .constant(Page([], next: nil)) }
    list = makeList()
  }

  /// Adds a message to the conversation, and loads again what is shown of it.
  func receiveMessage() {
    messageCount += 1
    list.load()
  }

  /// The action of `r` in any pane.
  var again: CatalogAction? { .again(.again(list.content), .retry(list.prepend, list.append)) }

  private func makeList() -> PagedResource<Message, Position> {
    let (size, faults) = (pageSize, runtime.faults)
    let start = Position.from(Self.firstUnread)
    let stored = Self.page(start, size: size, of: messageCount)
    return PagedResource(
      start: start, initialPages: storedAge == nil ? [] : [stored], initialAge: storedAge ?? .zero,
      maximumPageCount: maximumPageCount, prefetchDistance: Self.distance,
      refreshing: Refreshing(staleAfter: Self.staleAfter), name: "messages", clock: runtime.clock,
      scheduler: runtime.scheduler
    ) { [weak self] cursor in
      let position = cursor ?? start
      let page = Self.page(position, size: size, of: self?.messageCount ?? 0)
      let outcome = self?.outcome(at: position) ?? .loads
      return Loader { context in
        try await context.clock.sleep(for: .milliseconds(800))
        if outcome == .fails || outcome == .failsOnce && context.cause != .retry {
          throw DescribedError("These messages could not be loaded.", advice: "Try again.")
        }
        return page
      }
      .under(faults)
    }
  }

  private func outcome(at position: Position) -> Outcome {
    // A reload loads the same positions again.
    guard !list.content.isLoading else { return .loads }
    return switch position {
    case .from: .loads
    case .before: earlierPages
    case .after: laterPages
    }
  }

  private static func page(
    _ position: Position, size: Int, of count: Int
  ) -> Page<Message, Position> {
    let range =
      switch position {
      case .from(let id): id..<min(count + 1, id + size)
      case .before(let id): max(1, id - size)..<id
      case .after(let id): (id + 1)..<min(count + 1, id + 1 + size)
      }
    return Page(
      range.map(Message.init),
      previous: range.lowerBound > 1 ? .before(range.lowerBound) : nil,
      next: range.upperBound <= count ? .after(range.upperBound - 1) : nil)
  }

  fileprivate var code: String {
    var code = CatalogCode("let list = PagedResource(")
    code.add("  start: api.firstUnread,")
    code.add(
      "  initialPages: [api.stored.page], initialAge: api.stored.age,", if: storedAge != nil)
    code.add("  maximumPageCount: \(maximumPageCount ?? 0),", if: maximumPageCount != nil)
    code.add("  prefetchDistance: \(Self.distance),")
    code.add("  refreshing: Refreshing(staleAfter: \(Self.staleAfter.swift))")
    code.add(") { (cursor: Int?) in")
    code.add("  Loader { _ in try await api.messages(at: cursor, limit: \(pageSize)) }")
    code.add("}")
    let body = CatalogCode(
      "if let loaded = list.content.loadedAt {",
      "  TimelineView(changesAfter: { $0.advanced(by: .seconds(60)) }) { now in",
      "    Text(\"\\(loaded.duration(to: now).components.seconds / 60) min old\")",
      "  }",
      "}",
      "AsyncContentView(list.prepend) { _ in EmptyView() }.frame(height: 1)",
      "AsyncContentView(list) { messages in",
      "  List(messages) { Text($0.text) }",
      "    .anchorsFirstRow()",
      "    .onVisibleRowsChange { list.show($0) }",
      "}",
      "AsyncContentView(list.append) { _ in EmptyView() }.frame(height: 1)")
    return
      (CatalogCode("import Loading", "import TerminalUI")
      + CatalogCode.view("ConversationView", code.text, body: body)).text
  }
}

extension ConversationModel.Message {
  private static let texts = [
    "Have you seen the left one?", "Which left one?", "The green one, with the hole.",
    "They all have holes by now. You would have to say which toe.",
    "The big toe. It was on the line on Tuesday, between the towel and your terrible trousers.",
    "Then it is behind the dryer.", "Nothing is behind the dryer. I looked.",
    "Something is always behind the dryer.", "I found a spoon.", "There you are.",
    "That does not keep a foot warm.",
  ]

  fileprivate init(_ id: Int) {
    self.init(
      id: id, author: id % 3 == 0 ? "Ines" : "Maud", text: Self.texts[id % Self.texts.count])
  }
}

private struct ConversationView: View {
  let model: ConversationModel

  private static let heightForEnds = 4

  var body: some View {
    let list = model.list
    GeometryReader { size in
      let hidesEnds = size.height < Self.heightForEnds
      VStack(alignment: .leading) {
        HStack {
          ListEnd(end: list.prepend, words: list.hasPrevious ? "More above" : "The beginning")
          ValueAge(content: list.content).layoutPriority(1)
            .collapsed(list.prepend.failure != nil)
        }
        .frame(height: 1)
        .collapsed(hidesEnds)
        MessageList(list: list)
        ListEnd(
          end: list.append,
          words: "\(list.items.count) messages" + (list.hasMore ? ", more below" : "")
        )
        .frame(height: 1)
        .collapsed(hidesEnds)
      }
    }
    .padding(.horizontal)
    .onKeyPress(action: .reload) { list.load() }
  }
}

private struct MessageList: View {
  let list: PagedResource<ConversationModel.Message, ConversationModel.Position>

  var body: some View {
    AsyncContentView(list) { messages in
      List(messages) { message in
        Text("\(message.id) ").foregroundStyle(\.secondary)
          + Text(message.author).foregroundStyle(\.accent) + Text(" \(message.text)")
      }
      .anchorsFirstRow()
      .onVisibleRowsChange { list.show($0) }
    }
  }
}

/// How long ago a value was loaded.
private struct ValueAge<Value: Sendable>: View {
  let content: Resource<Value>

  var body: some View {
    if let loaded = content.loadedAt {
      TimelineView(changesAfter: { now in
        now.advanced(by: .seconds(age(since: loaded, at: now).secondsToChange))
      }) { now in
        Text("as of \(ago(age(since: loaded, at: now)))").foregroundStyle(\.secondary).lineLimit(1)
      }
    }
  }

  private func age(since loaded: AnyClock.Instant, at now: AnyClock.Instant) -> Age {
    Age(since: loaded.duration(to: now) / .seconds(1))
  }

  private func ago(_ age: Age) -> String { age.text == Age.now ? Age.now : "\(age.text) ago" }
}
