import ArgumentParser
import Articles
import Loading
import LoadingTesting
import Synchronization
import Testing

@testable import Argyle

/// Tests of editing an article's tags.
@MainActor
@Suite struct TagEditorTests {
  private let runtime = ManualRuntime()

  @Test(arguments: ["a,b", "", " ", "a,"])
  func `a command takes one tag at a time`(tag: String) {
    for option in ["--tag", "--untag"] {
      for command in [["articles", "mark", "1"], ["feeds", "set", "Alpha"]] {
        #expect(throws: (any Error).self) { try Argyle.parseAsRoot(command + [option, tag]) }
        #expect(throws: Never.self) { try Argyle.parseAsRoot(command + [option, "a b"]) }
      }
    }
  }

  @Test func `the list Read later is not among the tags, and an edit leaves it as it is`() {
    let stored = Mutex<[[String]]>([])
    var source = DemoScript(.full).source
    source.tags = {
      .constant([
        ArticleTag(name: "Later", articleCount: 1), ArticleTag(name: "wool", articleCount: 2),
      ])
    }
    source.marks.tag = { _, adding, removing in
      stored.withLock { $0 += [adding, removing] }
    }
    let model = ReaderModel(source, runtime)
    let article = Article(1, title: "One", tags: ["Later", "wool"])
    #expect(article.shownTags == "Read later #wool")
    model.editTags(article)
    model.tagEditor.known.load()
    runtime.run()
    #expect(model.tagEditor.typed == "wool, ")
    model.tagEditor.typed = ""
    #expect(model.tagEditor.suggestions.map(\.name) == ["wool"])
    model.tagEditor.typed = "silk"
    model.submitTags()
    runtime.run()
    #expect(stored.withLock(\.self) == [["silk"], ["wool"]])
    #expect(model.current(article).tags == ["silk", "Later"])
    #expect(model.notice.latestValue??.words == "Tagged silk: “One”.")
    model.editTags(article)
    model.tagEditor.typed = ""
    model.submitTags()
    runtime.run()
    #expect(model.current(article).tags == ["Later"])
    #expect(model.notice.latestValue??.words == "No tags: “One”.")
  }
}
