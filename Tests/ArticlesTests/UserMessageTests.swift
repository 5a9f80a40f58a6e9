import Foundation
import HTTP
import Testing

@testable import Articles

@Suite struct UserMessageTests {
  @Test func `a server that gets too many requests is said to, whatever it was asked for`() {
    let errors: [any MessageError] = [
      FetchError.status(429), StatusError(thing: "the file", status: 429),
      SyncError.refused(status: 429, detail: ""),
    ]
    for error in errors {
      #expect(error.message.what == "The server says that it gets too many requests.")
      #expect(error.message.advice == "Try again much later.")
      #expect(error.message.detail == "HTTP status 429")
    }
    #expect(
      StatusError(thing: "the file", status: 404).what == "The server does not give the file.")
  }

  @Test func `what a server refuses is to be tried again only where that can help`() {
    let later = "Try again later, or open the article in the browser."
    for (status, advice) in [(404, "Open the article in the browser."), (503, later)] {
      #expect(StatusError(thing: "the file", status: status).advice == advice)
    }
  }

  @Test func `the time that a server asks for is in the message of every refusal`() {
    let date = Date(timeIntervalSince1970: 1_800_000_000)
    let errors: [any MessageError] = [
      FetchError.status(503, retryDate: date),
      StatusError(thing: "the file", status: 503, retryDate: date),
      SyncError.refused(status: 503, detail: "", retryDate: date),
    ]
    for error in errors { #expect(UserMessage(error).retryDate == date, "\(error)") }
  }

  @Test func `what comes from outside is one line without control characters, and is cut`() {
    let text = "a\u{1B}[31m\n b\u{9B}\u{202E}c\u{0}\u{2028}d " + String(repeating: "x", count: 500)
    let detail = UserMessage(what: "", advice: "", detail: text).detail
    #expect(detail?.hasPrefix("a [31m b c d x") == true)
    #expect(detail?.count == 201)
    #expect(detail?.hasSuffix("…") == true)
  }

  @Test func `a message of megabytes is not looked through`() {
    let text = String(repeating: "\u{301}", count: 5_000_000)
    #expect(UserMessage.cleaned(text).utf8.count <= 2 * 801)
  }

  @Test(arguments: [
    HTTPError.timedOut(.waiting), .timedOut(.connecting), .timedOut(.receiving), .tooSlow,
    .truncated, .emptyAnswer, .cannotResolve(host: "h"), .cannotConnect(host: "h", reason: "r"),
    .tooLarge(limit: 1 << 20), .tooManyRedirects(limit: 5), .redirectRefused(to: "file:///x"),
    .bodyRedirected(to: "/"),
    .certificate(.expired, reason: "r"), .certificate(.notYetValid, reason: "r"),
    .certificate(.selfSigned, reason: "r"), .certificate(.wrongName, reason: "r"),
    .certificate(.untrusted, reason: "r"), .redirectIntoPrivateNetwork(to: "http://10.0.0.1/"),
    .privateAddress(host: "router"), .insecureRedirect(to: "http://h/"),
    .passwordInClear(host: "h"), .headersTooLarge(limit: 256 << 10),
    .connectionLost(reason: "r"), .malformedAnswer(reason: "r"),
    .badEncoding(reason: "r"), .proxy(reason: "r"), .cannotSecure(host: "h", reason: "r"),
    .invalidAddress("x"), .unsupportedScheme("ftp"), .invalidHeader(name: "n"),
    .other(code: 1, reason: "r"), .noLibrary(reason: "r"), .noAuthorities(reason: "r"),
  ])
  func `every failure to fetch has a sentence and an advice`(error: HTTPError) {
    check(UserMessage(error))
  }

  @Test func `a redirect of what is posted is not called one to something else than the web`() {
    let posted = UserMessage(HTTPError.bodyRedirected(to: "http://other.example/x"))
    #expect(posted.what == "The server redirects a login or a change to another address.")
    for address in ["javascript:alert(1)", "http://other.example/\u{FFFD}[31mx"] {
      let message = UserMessage(HTTPError.redirectRefused(to: address))
      #expect(message.what == "The server redirects to something that is not a web address.")
    }
  }

  @Test func `where libcurl is missing, the message says so and what to install`() {
    let message = UserMessage(HTTPError.noLibrary(reason: "libcurl.so.4: cannot open"))
    #expect(message.what == "The library libcurl, which fetches from the web, is missing.")
    #expect(message.advice == "Install the package libcurl4, then start again.")
    #expect(message.detail == "libcurl.so.4: cannot open")
  }

  @Test func `where the file of trusted certificates is missing, no server is blamed`() {
    let message = UserMessage(HTTPError.noAuthorities(reason: "r"))
    #expect(message.what == "The file of trusted certificates cannot be read.")
    #expect(
      message.advice == "Check SSL_CERT_FILE, or install the package ca-certificates.")
  }

  @Test func `every other failure has them too`() {
    let path = "/p"
    let feed: [FeedError] = [
      .empty, .notAFeed(found: .html), .notAFeed(found: .json), .notAFeed(found: .text),
      .notAFeed(found: .binary), .notAFeed(found: .xml(root: "x")), .truncated(line: 1),
      .malformed(line: 1, reason: "r"), .ownEntity(name: "x"), .tooDeep(line: 1),
      .tooLarge(limit: 1 << 20),
    ]
    let fetch: [FetchError] =
      [401, 403, 404, 410, 429, 500, 503, 204, 302].map { .status($0) } + [
        .serverBusy(until: .distantPast), .passwordRefused, .passwordWithheld(address: "x"),
        .nothingToCompare,
        .fileMissing(path: path),
        .fileUnreadable(path: path, reason: "r"), .notAFile(path: path), .noMarkdown(path: path),
        .fileTooLarge(path: path, limit: 1 << 20),
      ]
    let store: [StoreError] = [
      .notOurs(path: path), .newer(path: path, version: 2, known: 1), .readOnly(path: path),
      .cannotOpen(path: path, reason: "r"), .noFolder(path: path), .full(path: path),
      .overQuota(path: path), .tooLarge(path: path), .locked(path: path), .damaged(path: path),
      .failed(path: path, reason: "r"),
    ]
    let library: [LibraryError] = [
      .unusableAddress("x"), .severalAddresses(2), .alreadyAdded(address: "x"), .goneForGood,
      .noSuchFeed(), .articleGone,
      .noSuchFolder("x"), .noSuchTag("x"), .addressOfOtherFeed("x"),
    ]
    let messages =
      feed.map { UserMessage($0) } + fetch.map { UserMessage($0) }
      + store.map { UserMessage($0) } + library.map { UserMessage($0) }
    messages.forEach(check)
    // Each says something of its own.
    #expect(Set(messages.map(\.what)).count >= messages.count - 4)
    check(UserMessage(CancellationError()))
  }

  @Test func `several failures are counted, and the first named`() {
    let failures = ["One", "Two", "Three", "Four\u{1B}"].enumerated().map { index, title in
      ReloadError.Failure(
        feed: Feed(id: Feed.ID(rawValue: Int64(index)), address: "a", title: title),
        message: UserMessage(FeedError.empty))
    }
    let all = ReloadError(failures: failures, feedCount: 20).message
    #expect(all.what == "4 of 20 feeds failed.")
    #expect(all.detail?.hasPrefix("One: The answer is empty") == true)
    let one = ReloadError(failures: [failures[3]], feedCount: 20).message
    #expect(one.what == "Four: The answer is empty: there is no feed in it.")
    let only = ReloadError(failures: [failures[3]], feedCount: 1).message
    #expect(only.what == "The answer is empty: there is no feed in it.")
  }

  private func check(_ message: UserMessage) {
    #expect(message.what.hasSuffix(".") && message.advice.hasSuffix("."), "\(message)")
    #expect(message.what.first?.isUppercase == true, "\(message)")
  }
}
