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

  @Test func `a label that is taken away elsewhere goes, however the tag is spelled here`()
    async throws
  {
    let (reader, account) = try await SyncedReader.synced()
    let titles = ["a", "b", "c"]
    let articles = try await reader.store.articles(matching: ArticleQuery()).map(\.id)
    try await reader.library.tag(articles, adding: ["later", "swift"])
    try await reader.library.sync(account)
    // The server has only one of the two spellings.
    let ids = try titles.map { try reader.remote($0).id }
    reader.double.edit { state in
      for id in ids {
        state.model.set(.label("later"), false, of: id)
        state.model.set(.label("Later"), true, of: id)
      }
    }
    try await reader.library.sync(account)
    #expect(try await reader.article("a").tags == ["later", "swift"])
    reader.double.edit { state in
      state.model.set(.label("Later"), false, of: ids[0])
      state.model.set(.label("swift"), false, of: ids[1])
    }
    try await reader.library.sync(account)
    #expect(try await reader.article("a").tags == ["swift"])
    #expect(try await reader.article("b").tags == ["later"])
    #expect(try await reader.article("c").tags == ["later", "swift"])
  }

  @Test func `a tag stays as long as the server has it in any spelling`() async throws {
    let (reader, account) = try await SyncedReader.synced()
    let ids = try ["a", "b"].map { try reader.remote($0).id }
    reader.double.edit { state in
      state.model.set(.label("later"), true, of: ids[0])
      state.model.set(.label("Later"), true, of: ids[1])
    }
    for _ in 1...2 {
      try await reader.library.sync(account)
      #expect(try await reader.article("a").tags == ["later"])
      #expect(try await reader.article("b").tags == ["Later"])
      #expect(try await reader.article("c").tags == [])
    }
    // A tag that waits to be sent stays, too.
    try await reader.library.tag([reader.article("c").id], adding: ["later"])
    let unread = try Set(["a", "b", "c"].map { try reader.remote($0).id })
    _ = try await reader.store.apply(
      RemoteLists(unread: unread, labels: ["Later": [ids[1]]]), unstarred: [], gone: [],
      of: account, at: reader.today.now)
    #expect(try await reader.article("a").tags == [])
    #expect(try await reader.article("c").tags.count == 1)
  }
}
