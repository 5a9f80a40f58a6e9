import HTTP
import LoadingTesting
import Testing

@testable import Argyle

@MainActor
@Suite struct PastedAddressTests {
  @Test(arguments: [
    ("~/notes\n", "~/notes"), ("/home/ann/My  Notes", "/home/ann/My  Notes"),
    ("localhost:8080/rss", "localhost:8080/rss"), ("[::1]:8080/rss", "[::1]:8080/rss"),
    ("exec:notes", "exec:notes"), (" example.org/feed ", "example.org/feed"),
    ("https://a.example/\nhttps://b.example/", "https://a.example/ https://b.example/"),
    ("/notes", "/notes"), ("~ann/notes", "~ann/notes"), ("~/My  Notes", "~/My  Notes"),
    ("some words", nil), ("", nil), ("/one\n/two", nil), ("word", nil), ("// a b", nil),
    ("// TODO: mend this", nil), ("/me waves", nil), ("~100 new articles", nil), ("/* a */", nil),
    ("Note:", nil),
  ])
  func `a pasted text that may be an address opens the form`(text: String, address: String?) {
    let runtime = ManualRuntime()
    let model = ReaderModel(DemoScript(.full).source, runtime)
    model.paste(text)
    runtime.run()
    #expect(model.feedEditor.sheet == (address == nil ? nil : .add))
    #expect(address == nil || model.feedEditor[.address] == address)
    let words = "What was pasted is not the address of a feed."
    #expect((model.notice.latestValue??.words == words) == (address == nil))
  }

  @Test(arguments: [("notes.xml", true), ("https://notes.xml/", false)])
  func `a name that is neither a server's nor a file's is said to be neither`(
    text: String, isSaid: Bool
  ) {
    let reader = FeedSheetReader()
    reader.stage.press("a")
    reader.submit(text)
    reader.additions[0].fail(HTTPError.cannotResolve(host: "notes.xml"))
    reader.stage.settle()
    #expect(reader.stage.text.contains("The server's name is not known."))
    #expect(reader.stage.text.contains("There is no file of that name, either.") == isSaid)
  }
}
