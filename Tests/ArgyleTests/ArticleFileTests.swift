import Articles
import Foundation
import LoadingTesting
import PseudoTerminal
import Testing

@testable import Argyle

/// Tests of articles that are saved as files.
@Suite struct ArticleFileTests {
  @Test(arguments: [
    ("How to use Argyle", "How to use Argyle"), ("../../etc/passwd", "etc-passwd"),
    ("/", "Untitled"), ("", "Untitled"), (".hidden", "hidden"),
    ("a\u{0}b\nc\u{1B}[2Jd", "a-b c-2Jd"),
    ("What? 100% “sure”: yes!", "What-100-sure-yes"), ("全角と半角のあいだ", "全角と半角のあいだ"),
    ("-rf *", "rf"), ("\u{202E}abc", "abc"), ("Café", "Café"), ("con.txt ", "con-txt"),
  ])
  func `a title becomes the name of a file in one folder`(title: String, name: String) {
    #expect(FileName.safe(title) == name)
  }

  @Test func `a long title is cut between characters`() {
    let name = FileName.safe(String(repeating: "字", count: 500))
    #expect(name.utf8.count <= 120)
    #expect(name.allSatisfy { $0 == "字" })
  }

  @Test func `nothing that is there is overwritten, nor what a link leads to`() throws {
    let directory = try TemporaryDirectory()
    let content = ArticleDocument(
      article: Article(1, title: "One/Two"),
      document: Document(blocks: [.paragraph([.text("Words")])]))
    let elsewhere = try directory.write("precious", to: "elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: directory.path + "/One-Two.md", withDestinationPath: elsewhere)
    let paths = try (0..<2).map { _ in try ArticleFile.save(content, in: directory.path) }
    #expect(paths == [directory.path + "/One-Two-2.md", directory.path + "/One-Two-3.md"])
    #expect(try String(contentsOfFile: elsewhere, encoding: .utf8) == "precious")
    #expect(try String(contentsOfFile: paths[0], encoding: .utf8) == "# One/Two\n\nFeed\n\nWords\n")
  }

  @Test func `a folder that is not there is said to be none`() {
    let content = ArticleDocument(
      article: Article(1, of: "", title: "One"),
      document: Document())
    #expect(throws: ArticleFile.Failure(path: "/nonexistent/One.md", code: ENOENT)) {
      try ArticleFile.save(content, in: "/nonexistent")
    }
  }

  @MainActor @Test(.timeLimit(.minutes(10)))
  func `an article is saved once all of its text is loaded`() async throws {
    let directory = try TemporaryDirectory()
    let loads = ManualLoads<ArticleDocument>()
    let runtime = ManualRuntime()
    var source = DemoScript(.full).source
    source.document = { _ in loads.loader }
    let model = ReaderModel(source, runtime)
    model.programSettings = Settings(environment: ["HOME": directory.path])
    let article = Article(1, title: "One")
    model.save(article)
    await runtime.run { loads.count == 1 }
    let blocks = ["Words", "More"].map { Block.paragraph([.text($0)]) }
    loads[0].output.yield(
      ArticleDocument(
        article: article, document: Document(blocks: [blocks[0]]), isWhole: false))
    runtime.run()
    model.save(article)
    #expect(model.isSaving && model.isGoingOn)
    loads[0].succeed(ArticleDocument(article: article, document: Document(blocks: blocks)))
    await runtime.run { !model.isSaving }
    for name in ["One.md", "One-2.md"] {
      let text = try String(
        contentsOfFile: model.programSettings.saveFolder + "/" + name, encoding: .utf8)
      #expect(text == "# One\n\nFeed\n\nWords\n\nMore\n")
    }
  }
}
