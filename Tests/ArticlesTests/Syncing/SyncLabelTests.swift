import Testing

@testable import Articles

/// Tests of labels, which are the tags of articles on servers.
@Suite(.timeLimit(.minutes(10))) struct SyncLabelTests {
  @Test func `an article that another device puts on the list to be read later is not muted`()
    async throws
  {
    let reader = try SyncedReader(rules: [ArticleRule(when: "title:b", actions: [.mute])])
    let account = try await reader.addSyncedAccount()
    #expect(try await reader.titles() == ["a", "c"])
    let id = try reader.remote("b").id
    reader.double.edit { state in
      state.model.set(.label("Later"), true, of: id)
      let new = state.model.publish("another b", in: "feed/1")
      state.model.set(.label("Later"), true, of: new)
      state.model.publish("third b", in: "feed/1")
    }
    try await reader.library.sync(account)
    #expect(try await reader.titles() == ["a", "b", "c", "another b"])
    #expect(try await reader.titles(.unread) == ["a", "b", "c", "another b"])
  }
}
