@testable import Articles

/// A list of feeds is read or refused, names nothing that does harm, and says the same once it was
/// written and read again.
func fuzzOPML(_ bytes: [UInt8]) -> Int32 {
  let lines = counted(bytes) { try? NewsboatList.read(bytes, budget: $0) }
  check(lines ?? SubscriptionList(), schemes: ["http", "https", "file"])
  guard let list = counted(bytes, { try? OPML.read(bytes, budget: $0) }) else { return -1 }
  check(list, schemes: ["http", "https"])

  guard let again = reread(list) else { preconditionFailure("what was written is not read") }
  precondition(again.refusals.isEmpty, "what was written is refused")
  var kept = byAddress(again)
  for feed in list.subscriptions where feed.name == nil {
    // One without a name is written under its address, as one line of text.
    kept[feed.address]?.name = nil
  }
  precondition(kept == byAddress(list), "something was lost")
  // Folders may move to the place of their first feed; after that nothing changes any more.
  precondition(reread(again)?.subscriptions == again.subscriptions, "written otherwise")
  return 0
}

private func check(_ list: SubscriptionList, schemes: [String]) {
  let addresses = list.subscriptions.map(\.address)
  precondition(Set(addresses).count == addresses.count, "an address twice")
  for address in addresses {
    precondition(schemes.contains { address.hasPrefix($0 + "://") }, address)
  }
  for refusal in list.refusals {
    precondition(refusal.entry.unicodeScalars.allSatisfy { $0.value >= 0x20 }, refusal.entry)
  }
}

private func reread(_ list: SubscriptionList) -> SubscriptionList? {
  try? OPML.read(Array(OPML.text(list.subscriptions).utf8))
}

private func byAddress(_ list: SubscriptionList) -> [String: Subscription] {
  Dictionary(uniqueKeysWithValues: list.subscriptions.map { ($0.address, $0) })
}
