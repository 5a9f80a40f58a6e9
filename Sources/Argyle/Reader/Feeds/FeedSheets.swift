import Articles
import Loading
import TerminalUI

/// The form in which feeds are added and edited.
struct FeedSheet: View {
  let model: ReaderModel

  var body: some View {
    switch model.feedEditor.sheet {
    case .add: AddFeedSheet(model: model)
    case .edit: EditFeedSheet(model: model)
    case .renameFolder:
      RenameSheet(
        model: model, field: .folder, prompt: "the name of the folder",
        advice: "News / Tech is the folder Tech in the folder News.")
    case .renameSearch(let search):
      RenameSheet(
        model: model, field: .title, prompt: "the name of the search",
        advice: "It searches for: \(search.text)")
    case .addAccount: AddAccountSheet(model: model)
    case .password(let account): PasswordSheet(model: model, account: account)
    case .removeAccount(let summary): RemoveAccountSheet(model: model, summary: summary)
    case nil: EmptyView()
    }
  }
}

extension FeedEditor {
  func binding(_ field: Field) -> Binding<String> {
    Binding(get: { self[field] }, modify: { change in change(&self[field]) })
  }
}

/// The field for the address of a new feed, and the result of adding it.
private struct AddFeedSheet: View {
  let model: ReaderModel
  @FocusState private var isChoosing: Bool

  private static let mostChoices = 8
  private static let linesOfRefusal = 3
  private static let widthOfAdvice = 51

  var body: some View {
    let addition = model.feedEditor.addition
    VStack(alignment: .leading) {
      TextField("example.org", text: model.feedEditor.binding(.address)).defaultFocus()
      if addition.isLoading || addition.lastResult != nil {
        AsyncContentView(addition) { answer($0) }
          .loading { _ in ProgressView("Looking for a feed") }
          .failure { failure, _ in refusal(failure.error) }
      }
      // Last, so that the result of adding the address is visible on a small screen.
      VStack(alignment: .leading) {
        if let account = model.feedEditor.account {
          Text("The address of a feed or a web site, for")
          Text(account.name).lineLimit(1)
        } else {
          Text(
            "The address of a feed or a web site, or the path of a file, a folder of Markdown or a "
              + "list in OPML."
          )
          .frame(maxWidth: Self.widthOfAdvice, alignment: .leading)
        }
      }
      .foregroundStyle(\.secondary)
      .padding(.top)
    }
    .onSubmit(label: "add") { model.submitFeed() }
    .onChange(of: addition.latestValue) { _, addition in
      switch addition {
      case .choices?, .others?, .imported?: isChoosing = true
      default: break
      }
    }
  }

  @ViewBuilder
  private func refusal(_ error: any Error) -> some View {
    VStack(alignment: .leading) {
      AdditionFailure(error: error)
      if let words = Library.words(aboutFile: model.feedEditor[.address], after: error) {
        Text(words)
      }
      // Only the server of an account decides what it adds.
      if model.feedEditor.account == nil, Library.canKeep(after: error) {
        Button("Add it all the same") {
          model.lookForFeed(model.feedEditor[.address], keepsMistake: true)
        }
      }
    }
  }

  @ViewBuilder
  private func answer(_ addition: FeedAddition) -> some View {
    if case .imported(let report) = addition {
      Text(report.words)
      List(
        report.refusals.enumerated().map { RefusalRow(id: $0, refusal: $1) }, submitLabel: "close",
        onSubmit: { _ in model.closeFeedSheet() }
      ) { row in
        VStack(alignment: .leading) {
          Text(row.refusal.words).lineLimit(1)
          Text(row.refusal.sentence).foregroundStyle(\.secondary)
        }
      }
      .frame(height: min(report.refusals.count * Self.linesOfRefusal, Self.mostChoices))
      .focused($isChoosing)
    } else if case .choices(let feeds) = addition {
      Text("The page has \(feeds.count) feeds. Which one?")
      links(feeds)
    } else if case .others(let feeds) = addition {
      Text("You already have this feed. The page has \(feeds.count == 1 ? "another" : "others"):")
      links(feeds)
    }
  }

  private func links(_ feeds: [FeedLink]) -> some View {
    List(feeds, submitLabel: "add", onSubmit: { model.lookForFeed($0.address) }) { feed in
      VStack(alignment: .leading) {
        HStack {
          Text(feed.title.isEmpty ? feed.address : feed.title).lineLimit(1)
          Spacer()
          if model.hasFeed(at: feed.address) {
            Text("already added").foregroundStyle(\.secondary).lineLimit(1)
          }
        }
        if !feed.title.isEmpty { Text(feed.address).foregroundStyle(\.secondary).lineLimit(1) }
      }
    }
    .frame(height: min(feeds.map { $0.title.isEmpty ? 1 : 2 }.reduce(0, +), Self.mostChoices))
    .focused($isChoosing)
  }
}

/// An entry of a list that was not imported.
private struct RefusalRow: Identifiable {
  /// Its index: entries may be equal.
  let id: Int
  let refusal: SubscriptionList.Refusal
}

/// Why nothing was added.
struct AdditionFailure: View {
  let error: any Error
  @Environment(\.describeError) private var describe

  var body: some View {
    let description = describe(error)
    VStack(alignment: .leading) {
      FailureText(description.what)
      if let advice = description.advice { Text(advice) }
      if let detail = description.detail {
        Text(detail).foregroundStyle(\.secondary).lineLimit(2)
      }
    }
    // Otherwise the sheet would become as wide as the longest line.
    .frame(maxWidth: Self.width, alignment: .leading)
  }

  private static let width = 62
}

/// The fields of a feed: its title, tags, folder and settings.
private struct EditFeedSheet: View {
  private enum Focus: Hashable { case title, address, tags, folder, folders }

  let model: ReaderModel
  @FocusState private var focus: Focus?
  @Environment(\.isPlain) private var isPlain

  private static let width = 48
  private static let labelWidth = 7
  private static let mostFolders = 6

  var body: some View {
    let editor = model.feedEditor
    let folders = editor.suggestions(among: model.folders)
    VStack(alignment: .leading) {
      line("Title", "the feed's own", .title, .title)
      line("Tags", "separated by commas", .tags, .tags)
      ReloadPicker(editor: editor)
      line("Folder", "none", .folder, .folder)
        .onKeyPress(.down, label: "folders", when: !folders.isEmpty) { focus = .folders }
      if !folders.isEmpty {
        List(folders.map(FolderRow.init), submitLabel: "choose", onSubmit: choose) { row in
          Text(row.folder.text).lineLimit(1)
        }
        .frame(height: min(folders.count, Self.mostFolders))
        .padding(.leading, Self.labelWidth + 1)
        .focused($focus, equals: .folders)
      }
      // Padded so that its choices stand below those of the other picker.
      Picker(isPlain ? "Text" : "Text  ", selection: Binding(editor, \.fullText)) {
        Text("as configured").tag(Bool?.none)
        Text("the feed's own").tag(Bool?.some(false))
        Text("full, from its web page").tag(Bool?.some(true))
      }
      if case .edit(let feed) = editor.sheet, feed.account != nil {
        // The server of an account knows the feed by its address.
        HStack {
          FieldLabel("Address", width: Self.labelWidth)
          Text(feed.address).foregroundStyle(\.secondary).lineLimit(1)
        }
      } else {
        line("Address", "example.org/feed.xml", .address, .address)
        if editor.addition.isLoading {
          ProgressView("Saving")
        } else if let failure = editor.addition.failure {
          AdditionFailure(error: failure.error)
        }
      }
    }
    .frame(idealWidth: Self.width, maxWidth: .infinity, alignment: .leading)
    .onSubmit(label: "save") { model.submitFeed() }
    .onAppear { focus = .title }
  }

  private func line(
    _ label: String, _ hint: String, _ field: FeedEditor.Field, _ place: Focus
  ) -> some View {
    HStack {
      FieldLabel(label, width: Self.labelWidth)
      TextField(hint, text: model.feedEditor.binding(field)).focused($focus, equals: place)
    }
  }

  private func choose(_ row: FolderRow) {
    model.feedEditor[.folder] = row.folder.text
    focus = .folder
  }
}

/// The picker of how often a feed is reloaded automatically.
private struct ReloadPicker: View {
  let editor: FeedEditor

  private static let usual = [0, 15, 30, 60, 180, 720, 1_440]

  var body: some View {
    Picker("Reload", selection: Binding(editor, \.reloadMinutes)) {
      Text("as configured").tag(Int?.none)
      ForEach(choices, id: { $0 }) { minutes in
        Text(words(minutes)).tag(Int?.some(minutes))
      }
    }
  }

  private var choices: [Int] {
    Set(Self.usual + [editor.reloadMinutes].compactMap(\.self)).sorted()
  }

  private func words(_ minutes: Int) -> String {
    switch minutes {
    case 0: "never by itself"
    case 1..<60: "every \(minutes) min"
    case _ where minutes.isMultiple(of: 1_440): "every \(minutes / 1_440) d"
    case _ where minutes.isMultiple(of: 60): "every \(minutes / 60) h"
    default: "every \(minutes) min"
    }
  }
}

private struct FolderRow: Identifiable {
  let folder: FeedFolder
  var id: FeedFolder { folder }
}

/// The field for the new name of a folder or a search.
private struct RenameSheet: View {
  let model: ReaderModel
  let field: FeedEditor.Field
  let prompt: String
  let advice: String

  var body: some View {
    VStack(alignment: .leading) {
      TextField(prompt, text: model.feedEditor.binding(field)).defaultFocus()
      if model.feedEditor.lacksName { FailureText("Type a name.", plainMark: "Missing: ") }
      Text(advice).foregroundStyle(\.secondary).lineLimit(2)
    }
    .onSubmit(label: "save") { model.submitFeed() }
  }
}
