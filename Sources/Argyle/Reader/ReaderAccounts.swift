import Articles
import Foundation
import Loading
import TerminalUI

/// Accounts on servers: adding them, and exchanging what is new with them.
extension ReaderModel {
  /// After a mark, this long is waited for the next one before the server is told, in seconds.
  private static let sendingRest: TimeInterval = 5

  func account(_ id: SyncAccount.ID) -> AccountSummary? {
    accounts.latestValue?.first { $0.id == id }
  }

  /// The account whose row is selected.
  var selectedAccount: AccountSummary? {
    if case .feeds(.account(let id)) = list { account(id) } else { nil }
  }

  var isSyncingSelected: Bool { selectedAccount.map { syncing[$0.id] != nil } ?? false }

  /// Ends the sync of the selected account; what was sent stays sent.
  func cancelSyncing() {
    if let id = selectedAccount?.id { source.accounts.running.cancel(id) }
  }

  // MARK: The sheets

  /// Does what was typed in the sheet of an account.
  func submitAccount() {
    let edits = source.feedEdits
    switch feedEditor.sheet {
    case .addAccount:
      let login = AccountLogin(
        address: feedEditor[.address], user: feedEditor[.user], password: feedEditor[.password])
      guard ![login.address, login.user, login.password].contains("") else { return }
      feedEditor.addition.load(
        Loader { _ in .account(try await edits.addAccount(login)) }, .restart)
    case .password(let account):
      let password = feedEditor[.password]
      guard !password.isEmpty else { return }
      feedEditor.addition.load(
        Loader { _ in
          try await edits.setPassword(account, password)
          return .account(account)
        }, .restart)
    case .removeAccount(let summary):
      feedEditor.close()
      let name = "“\(shortTitle(summary.account.name))”"
      change("Removed the account \(name).", loss: "The account \(name) was not removed.") {
        try await $0.removeAccount(summary.id)
      }
      select(.all)
    default: return
    }
  }

  /// An account was added, or has another password: what it has is fetched.
  func take(_ account: SyncAccount) {
    feedEditor.close()
    accounts.load(.restart, cause: .refresh)
    showWhenListed(.feeds(.account(account.id)))
    sync(account.id)
  }

  private func sync(_ id: SyncAccount.ID) {
    Task { [source] in
      // What fails is said beside the account.
      try? await source.accounts.sync(id)
      readAgain()
    }
  }

  // MARK: By itself

  /// What is to be sent or tried again next, and when; nil for nothing.
  var nextSending: NextSending? {
    let waiting = (accounts.latestValue ?? []).filter {
      $0.waitingCount > 0 || $0.offlineSince != nil
    }
    guard
      let summary = waiting.min(by: {
        ($0.nextAttempt ?? .distantPast) < ($1.nextAttempt ?? .distantPast)
      })
    else { return nil }
    return NextSending(
      account: summary.id, date: summary.nextAttempt, isOffline: summary.offlineSince != nil,
      count: summary.waitingCount)
  }

  /// Sends the marks that wait when nothing was marked for a while, and tries a server that could not be
  /// reached when its time has come.
  func sendWhenDue() async {
    guard let next = nextSending else { return }
    // A little later, so that its time has come by every clock.
    let seconds =
      next.date.map { max(0, $0.timeIntervalSince(source.fetches.now())) + 1 } ?? Self.sendingRest
    guard (try? await clock.sleep(for: .seconds(seconds))) != nil else { return }
    if next.isOffline {
      sync(next.account)
    } else {
      try? await source.accounts.sendMarks()
    }
  }

  /// What is to be sent: another one is another wait.
  struct NextSending: Hashable {
    let account: SyncAccount.ID
    let date: Date?
    let isOffline: Bool
    let count: Int
  }
}
