import Articles
import Foundation
import Loading
import TerminalUI

/// Accounts on servers: adding them, and syncing with them.
extension ReaderModel {
  /// How long to wait after a mark for the next one, before marks are sent to the server, in
  /// seconds.
  private static let sendingRest: TimeInterval = 5

  func account(_ id: SyncAccount.ID) -> AccountSummary? {
    accounts.latestValue?.first { $0.id == id }
  }

  /// The account whose row is selected.
  var selectedAccount: AccountSummary? {
    if case .feeds(.account(let id)) = list { account(id) } else { nil }
  }

  var isSyncingSelected: Bool { selectedAccount.map { syncing[$0.id] != nil } ?? false }

  /// Cancels the sync of the selected account; changes that were sent stay on the server.
  func cancelSyncing() {
    if let id = selectedAccount?.id { source.accounts.running.cancel(id) }
  }

  // MARK: The sheets

  /// Submits the sheet of an account.
  func submitAccount() {
    let edits = source.feedEdits
    switch feedEditor.sheet {
    case .addAccount:
      let login = AccountLogin(
        address: feedEditor[.address], user: feedEditor[.user], password: feedEditor[.password])
      guard feedEditor.submits([login.address, login.user, login.password]) else { return }
      let isComplete = ![login.address, login.user, login.password].contains("")
      feedEditor.addition.load(
        Loader { _ in
          guard isComplete else {
            throw DescribedError(
              "The server, the name and the password are all needed.",
              advice: "Fill in what is empty.")
          }
          return .account(try await edits.addAccount(login))
        }, .restart)
    case .password(let account):
      let password = feedEditor[.password]
      guard feedEditor.submits([password]) else { return }
      feedEditor.addition.load(
        Loader { _ in
          guard !password.isEmpty else {
            throw DescribedError("The password is empty.", advice: "Type it, or cancel.")
          }
          try await edits.setPassword(account, password)
          return .account(account)
        }, .restart)
    default: return
    }
  }

  /// Removes an account, with its feeds or without.
  func remove(_ account: SyncAccount, keepsFeeds: Bool) {
    feedEditor.close()
    let name = "“\(shortTitle(account.name))”"
    change(loss: "The account \(name) was not removed.") { [edits = source.feedEdits] in
      let mayRemain = try await edits.removeAccount(account.id, keepsFeeds)
      let words = "Removed the account \(name)" + (keepsFeeds ? ", and kept its feeds." : ".")
      return StoredChange(
        Notice(
          words: words + (mayRemain ? " Its password \(KeptPasswords.remains)" : ""), hint: .undo))
    }
    select(.all)
  }

  /// What is wrong with the accounts that a reload of the list has synced; nil if nothing is.
  func failureOfAccounts(in list: ReaderList) async -> String? {
    let shown = (feeds.latestValue ?? []).filter { list.selection.contains($0.feed) }
    let synced = Set(shown.compactMap(\.feed.account))
    guard !synced.isEmpty, let summaries = await accounts.refresh().value,
      let failed = summaries.first(where: {
        synced.contains($0.id) && ($0.offlineSince != nil || $0.failure != nil)
      })
    else { return nil }
    return failed.failure?.what
      ?? "“\(shortTitle(failed.account.name))” could not be reached."
  }

  /// Fetches the contents of an account that was added or got a new password.
  func take(_ account: SyncAccount) {
    feedEditor.close()
    accounts.load(.restart, cause: .refresh)
    showWhenListed(.feeds(.account(account.id)))
    sync(account.id)
  }

  private func sync(_ id: SyncAccount.ID) {
    Task { [source] in
      // The account's row shows errors.
      try? await source.accounts.sync(id)
      readAgain()
    }
  }

  // MARK: Automatic syncs

  /// The accounts with marks to send, or to be retried, and when: those without a date first.
  var nextSendings: [NextSending] {
    (accounts.latestValue ?? []).filter { $0.waitingCount > 0 || $0.offlineSince != nil }
      .map {
        NextSending(
          account: $0.id, date: $0.nextAttempt, isOffline: $0.offlineSince != nil,
          count: $0.waitingCount)
      }
      .sorted { ($0.date ?? .distantPast) < ($1.date ?? .distantPast) }
  }

  /// Sends pending marks after a pause without new ones, and retries each account whose last sync
  /// failed when that is due.
  func sendWhenDue() async {
    let sendings = nextSendings
    let undated = sendings.filter { $0.date == nil }
    if !undated.isEmpty {
      guard (try? await clock.sleep(for: .seconds(Self.sendingRest))) != nil else { return }
      // Of all accounts. A mark that its server refuses goes on waiting, and must not keep the other
      // servers from being retried.
      // In a task of its own: what is sent changes what is sent next, which ends this wait.
      await Task { [source] in try? await source.accounts.sendMarks() }.value
      for next in undated where next.isOffline { sync(next.account) }
    }
    for next in sendings {
      guard let date = next.date else { continue }
      // One second late, so that it is due even if clocks differ slightly.
      let seconds = max(0, date.timeIntervalSince(source.fetches.now())) + 1
      guard (try? await clock.sleep(for: .seconds(seconds))) != nil else { return }
      sync(next.account)
    }
  }

  /// What is sent next; a different value restarts the wait.
  struct NextSending: Hashable {
    let account: SyncAccount.ID
    let date: Date?
    let isOffline: Bool
    let count: Int
  }
}
