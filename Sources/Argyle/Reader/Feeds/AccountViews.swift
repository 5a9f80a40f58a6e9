import Articles
import Loading
import TerminalUI

/// The state of an account, at the end of its row.
struct AccountState: View {
  let summary: AccountSummary
  let progress: LoadingProgress?
  let isWide: Bool
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    if let progress {
      WorkState(progress: progress, isWide: isWide)
    } else if summary.offlineSince != nil {
      Text(isPlain || isWide ? "offline" : "⌁").foregroundStyle(\.secondary).lineLimit(1)
    } else if summary.failure != nil {
      Text(isPlain ? "failed" : "✗").foregroundStyle(\.failure).lineLimit(1)
    }
    if progress == nil, summary.waitingCount > 0 {
      Text(isPlain ? AccountWords.waiting(summary.waitingCount) : "↑\(summary.waitingCount)")
        .foregroundStyle(\.secondary).lineLimit(1)
    }
  }
}

/// The progress of a fetch or a sync, at the end of its row.
struct WorkState: View {
  let progress: LoadingProgress
  let isWide: Bool

  var body: some View {
    Spinner()
    if isWide, let percent = progress.percent, percent > 0 {
      Text("\(percent) %").foregroundStyle(\.secondary).lineLimit(1)
    }
  }
}

/// The state of the selected account, below the list.
struct AccountStatus: View {
  let summary: AccountSummary
  let model: ReaderModel
  let days: DayText

  var body: some View {
    VStack(alignment: .leading) {
      if let progress = model.syncing[summary.id] {
        words("Syncing. \(progress.message ?? "")")
      } else if let date = summary.offlineSince {
        words("Offline since \(days.point(date)). Syncing goes on by itself.")
        waiting
        nextTry
        KeyHint(.reload, "to retry").lineLimit(1)
      } else if let failure = summary.failure {
        FailureText(failure.what).lineLimit(3)
        words(failure.advice)
        waiting
        // Without changes to send, only a reload tries again.
        if summary.waitingCount > 0, !failure.isRefusedPassword { nextTry }
        if failure.isAboutPassword { KeyHint(.editFeed, "to give the password").lineLimit(1) }
        if let pause = failure.pauseWords(days) {
          words(pause)
        } else {
          KeyHint(.reload, "to retry").lineLimit(1)
        }
      } else {
        words(summary.lastSynced.map { "Synced \(days.moment($0))." } ?? "Not synced yet.")
        waiting
      }
    }
  }

  @ViewBuilder
  private var waiting: some View {
    if summary.waitingCount > 0 { words("\(AccountWords.waiting(summary.waitingCount)).") }
  }

  @ViewBuilder
  private var nextTry: some View {
    if let next = summary.nextAttempt {
      AgeView(until: next, days: days) { wait in
        if let wait { words("Next try in \(wait).") }
      }
    }
  }
}

/// The sheet with the server, the name and the password of a new account.
struct AddAccountSheet: View {
  private enum Focus: Hashable { case address, user, password }

  let model: ReaderModel
  @FocusState private var focus: Focus?

  private static let labelWidth = 8
  private static let widthOfAdvice = 53

  var body: some View {
    let editor = model.feedEditor
    VStack(alignment: .leading) {
      line("Server") {
        TextField("reader.example.org", text: editor.binding(.address))
          .focused($focus, equals: .address)
      }
      line("Name") {
        TextField("your name there", text: editor.binding(.user)).focused($focus, equals: .user)
      }
      line("Password") {
        SecureField("often one of its own for programs", text: editor.binding(.password))
          .focused($focus, equals: .password)
      }
      AdditionState(addition: editor.addition)
      Text(
        "FreshRSS, Miniflux, BazQux, The Old Reader and other servers with the API of "
          + "Google Reader; or of Fever, if the address ends in /fever/."
      )
      .frame(maxWidth: Self.widthOfAdvice, alignment: .leading)
      .foregroundStyle(\.secondary)
      .padding(.top)
    }
    .onSubmit(label: "add") {
      let fields: [(FeedEditor.Field, Focus)] = [
        (.address, .address), (.user, .user), (.password, .password),
      ]
      let empty = fields.first { editor[$0.0].isEmpty }?.1
      if let empty, empty != focus {
        focus = empty
      } else {
        model.submitAccount()
      }
    }
    .onAppear { focus = .address }
  }

  private func line(_ label: String, @ViewBuilder field: () -> some View) -> some View {
    HStack {
      FieldLabel(label, width: Self.labelWidth)
      field()
    }
  }
}

/// The sheet for a new password of an account.
struct PasswordSheet: View {
  let model: ReaderModel
  let account: SyncAccount

  var body: some View {
    VStack(alignment: .leading) {
      Text(account.name).lineLimit(1)
      SecureField("its password", text: model.feedEditor.binding(.password))
        .defaultFocus()
      AdditionState(addition: model.feedEditor.addition)
    }
    .onSubmit(label: "save") { model.submitAccount() }
  }
}

/// The progress of adding an account or a password, or why the server refuses it.
private struct AdditionState: View {
  let addition: Resource<FeedAddition>

  var body: some View {
    if addition.isLoading || addition.lastResult != nil {
      AsyncContentView(addition) { _ in EmptyView() }
        .loading { _ in ProgressView("Asking the server") }
        .failure { failure, _ in AdditionFailure(error: failure.error) }
    }
  }
}

/// The sheet that asks before an account is removed, and says what is removed with it.
struct RemoveAccountSheet: View {
  let model: ReaderModel
  let summary: AccountSummary

  var body: some View {
    // As it is now: feeds may have come since the sheet was opened.
    let summary = model.account(summary.id) ?? summary
    let feeds = summary.feedCount == 1 ? "Its feed goes" : "Its \(summary.feedCount) feeds go"
    VStack(alignment: .leading) {
      Text(summary.account.name).bold().lineLimit(1)
      Text(
        summary.feedCount == 0
          ? "The server keeps everything." : "\(feeds) from here; the server keeps everything."
      )
      .padding(.top)
      if summary.waitingCount > 0 {
        Text(
          "\(AccountWords.waiting(summary.waitingCount)); the server does not get "
            + "\(summary.waitingCount == 1 ? "it" : "them") unless you undo this."
        )
        .foregroundStyle(\.failure)
      }
      HStack(spacing: 2) {
        Button("Remove") { model.remove(summary.account, keepsFeeds: false) }.defaultFocus()
        if summary.feedCount > 0 {
          Button("Keep the feeds, without the server") {
            model.remove(summary.account, keepsFeeds: true)
          }
        }
      }
      .padding(.top)
    }
  }
}
