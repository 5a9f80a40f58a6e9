import Articles
import Foundation
import Loading
import LoadingTesting
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Argyle

/// Tests of what the reader sends to the servers of accounts by itself.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct ReaderAccountTests {
  private let runtime = ManualRuntime()

  private func account(_ number: Int64) -> SyncAccount {
    SyncAccount(
      id: SyncAccount.ID(rawValue: number), kind: .googleReader,
      address: "https://\(number).example/", user: "ann")
  }

  @Test func `servers that cannot be reached are retried although another one refuses a mark`()
    async
  {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let sent = Mutex(0)
    let synced = Mutex<[SyncAccount.ID]>([])
    var source = DemoScript(.full).source
    source.fetches.now = { now }
    source.accounts.stored = .constant([
      AccountSummary(account: account(1), offlineSince: now, nextAttempt: now + 60),
      AccountSummary(account: account(2), waitingCount: 1),
      AccountSummary(account: account(3), offlineSince: now, nextAttempt: now + 30),
    ])
    source.accounts.sendMarks = { sent.withLock { $0 += 1 } }
    source.accounts.sync = { id in synced.withLock { $0.append(id) } }
    let model = ReaderModel(source, runtime)
    model.accounts.load()
    runtime.run()
    let sending = Task { await model.sendWhenDue() }
    await runtime.run { runtime.clock.sleeperCount == 1 }
    runtime.advance(by: .seconds(5))
    // The account whose mark is refused stays as it is, so nothing restarts the wait.
    await runtime.run { sent.withLock(\.self) == 1 && runtime.clock.sleeperCount == 1 }
    runtime.advance(by: .seconds(31))
    await runtime.run { synced.withLock(\.self).map(\.rawValue) == [3] }
    await runtime.run { runtime.clock.sleeperCount == 1 }
    runtime.advance(by: .seconds(61))
    await runtime.run { synced.withLock(\.self).map(\.rawValue) == [3, 1] }
    await sending.value
    #expect(sent.withLock(\.self) == 1)
  }

  @Test(arguments: [false, true])
  func `a sync that a mark has started goes on when the mark is sent`(isRetry: Bool) async {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let waitingCount = Mutex(1)
    let syncs = ManualCalls<Void, Void>()
    var source = DemoScript(.full).source
    source.fetches.now = { now }
    source.accounts.stored = Loader { [account = account(1)] _ in
      [
        AccountSummary(
          account: account, waitingCount: waitingCount.withLock(\.self),
          failure: isRetry ? UserMessage(SyncError.badAnswer(detail: "")) : nil,
          nextAttempt: isRetry ? now + 30 : nil)
      ]
    }
    source.accounts.sendMarks = { try await syncs.call(()) }
    source.accounts.sync = { _ in try await syncs.call(()) }
    let model = ReaderModel(source, runtime)
    model.accounts.load()
    let stage = Stage(20, 1, runtime: runtime) {
      Text("").task(id: model.nextSendings) { await model.sendWhenDue() }
    }
    await stage.settle { runtime.clock.sleeperCount == 1 }
    stage.advance(by: .seconds(31))
    await stage.settle { syncs.count == 1 }
    // What the sync has stored so far is shown, and nothing waits any more.
    waitingCount.withLock { $0 = 0 }
    model.accounts.load(.keepLatest, cause: .refresh)
    await stage.settle { model.nextSendings.isEmpty }
    #expect(!syncs[0].isCancelled)
    syncs[0].succeed()
    stage.end()
  }

  @Test func `an account that waits says when it is tried again`() {
    let model = ReaderModel(DemoScript(.full).source, runtime)
    let days = DayText.demo
    let failure = UserMessage(SyncError.badAnswer(detail: ""))
    func text(_ summary: AccountSummary) -> String {
      let stage = Stage(60, 8, runtime: runtime) {
        AccountStatus(summary: summary, model: model, days: days)
      }
      stage.settle()
      return stage.text
    }
    let next = days.now() + 720
    let words = "Next try in 12 min."
    #expect(
      text(AccountSummary(account: account(1), offlineSince: days.now(), nextAttempt: next))
        .contains(words))
    #expect(
      text(
        AccountSummary(account: account(1), waitingCount: 1, failure: failure, nextAttempt: next)
      ).contains(words))
    // One that cannot be read now may be read later.
    #expect(
      text(
        AccountSummary(
          account: account(1), waitingCount: 1,
          failure: UserMessage(SyncError.noPassword(reason: "")), nextAttempt: next)
      ).contains(words))
    // Nothing is sent by itself, and a password that is refused is not tried again.
    #expect(
      !text(AccountSummary(account: account(1), failure: failure, nextAttempt: next))
        .contains("Next try"))
    #expect(
      !text(
        AccountSummary(
          account: account(1), waitingCount: 1, failure: UserMessage(SyncError.passwordRefused),
          nextAttempt: next)
      ).contains("Next try"))
  }

  @Test func `an account without feeds is removed without a word about them`() {
    let model = ReaderModel(DemoScript(.full).source, runtime)
    let summary = AccountSummary(account: account(1))
    let stage = Stage(
      60, 8, environment: EnvironmentValues(DisplaySettings()), runtime: runtime
    ) {
      RemoveAccountSheet(model: model, summary: summary)
    }
    stage.settle()
    #expect(stage.text.contains("The server keeps everything."))
    #expect(!stage.text.contains("feeds"))
  }

  @Test func `the sheet of an account stays narrow when its server refuses it`() throws {
    let model = ReaderModel(DemoScript(.full).source, runtime)
    let stage = Stage(
      140, 20, environment: EnvironmentValues(DisplaySettings()), runtime: runtime
    ) {
      Text("behind it").focusable()
        .sheet(isPresented: .constant(true), title: "Add an account") {
          AddAccountSheet(model: model)
        }
    }
    model.feedEditor.addition.load(Loader { _ in throw SyncError.passwordRefused })
    stage.settle()
    #expect(stage.text.contains("✗ The server does not accept the name and the password."))
    let border = try #require(
      stage.text.split(separator: "\n").first { $0.contains("Add an account") })
    #expect(border.trimmingCharacters(in: .whitespaces).count < 70)
  }

  @Test func `an account whose server asks to wait says until when, and offers no retry`() {
    let model = ReaderModel(DemoScript(.full).source, runtime)
    let days = DayText.demo
    let failure = UserMessage(
      SyncError.refused(status: 429, detail: "", retryDate: days.now() + 720))
    let stage = Stage(60, 8, runtime: runtime) {
      AccountStatus(
        summary: AccountSummary(account: account(1), failure: failure), model: model, days: days
      ).onKeyPress(action: .reload) {}
    }
    stage.settle()
    #expect(stage.text.contains("The server asks to wait until"))
    #expect(!stage.text.contains("to retry"))
  }

  @Test(
    arguments: [
      (SyncError.passwordRefused, true), (.noPassword(reason: "No such file"), true),
      (.notAServer(detail: "HTTP status 404"), false), (.refused(status: 403, detail: ""), false),
    ] as [(SyncError, Bool)])
  func `a failed account can be tried again, and offers to take a password where that may help`(
    error: SyncError, isAboutPassword: Bool
  ) {
    let model = ReaderModel(DemoScript(.full).source, runtime)
    let summary = AccountSummary(account: account(1), failure: UserMessage(error))
    let stage = Stage(60, 6, runtime: runtime) {
      AccountStatus(summary: summary, model: model, days: .demo)
        .onKeyPress(action: .reload) {}
        .onKeyPress(action: .editFeed) {}
    }
    stage.settle()
    #expect(stage.text.contains("r to retry"))
    #expect(stage.text.contains("e to give the password") == isAboutPassword)
  }
}
