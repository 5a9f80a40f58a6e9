import Foundation
import HTTP
import Loading
import LoadingTesting
import Terminal
import TestServer
import Testing

@testable import Pictures

/// Pictures as values that are loaded, from every kind of source.
@MainActor
@Suite(.timeLimit(.minutes(10))) final class PictureLibraryTests {
  let server: TestServer
  let library: PictureLibrary
  let folder: String

  init() throws {
    server = try TestServer()
    library = PictureLibrary(client: HTTPClient(), converterPath: builtConverter)
    folder = NSTemporaryDirectory() + "pictures-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func request(_ source: PictureSource, label: String = "halves") -> PictureRequest {
    PictureRequest(source, room: Size(width: 4, height: 2), label: label, enlarges: true)
  }

  func load(
    _ source: PictureSource, from library: PictureLibrary? = nil,
    cause: LoadActivity.Cause = .appeared
  ) async throws -> Picture {
    let loader = (library ?? self.library).loader(for: request(source))
    return try await loader.value(cause: cause, clock: ManualClock().any)
  }

  func error(
    _ source: PictureSource, from library: PictureLibrary? = nil
  ) async -> PictureError? {
    do {
      _ = try await load(source, from: library)
      return nil
    } catch {
      return error as? PictureError
    }
  }

  /// A library with limits of its own.
  func limited(_ limits: PictureLimits) -> PictureLibrary {
    PictureLibrary(client: HTTPClient(), converterPath: builtConverter, limits: limits)
  }

  static let halves = Array(
    repeating: [". -/ff0000", ". -/ff0000", ". -/0000ff", ". -/0000ff"], count: 2)

  // MARK: Sources

  @Test func `a picture comes from a file, from memory and from the web`() async throws {
    let bytes = try Corpus.bytes("halves.png")
    server["/halves"] = .whole(bytes)
    for source in [
      PictureSource.file(Corpus.path("halves.png")), .memory("halves") { bytes },
      .web(server.url("/halves")),
    ] {
      let picture = try await load(source)
      #expect(described(picture.cells) == Self.halves)
      #expect(picture.label == "halves")
      #expect(!picture.isText)
    }
  }

  @Test func `what a server or a name calls a picture is not believed`() async throws {
    server["/picture.png"] = .whole(
      try Corpus.bytes("halves.gif"), headers: ["Content-Type": "text/html"])
    #expect(described(try await load(.web(server.url("/picture.png"))).cells) == Self.halves)
    server["/page.png"] = .whole("<html>", headers: ["Content-Type": "image/png"])
    #expect(await error(.web(server.url("/page.png"))) == .notAPicture)
    server["/drawing.png"] = .whole("<svg/>", headers: ["Content-Type": "image/png"])
    #expect(await error(.web(server.url("/drawing.png"))) == .typeNotShown("SVG"))
  }

  @Test func `what is wrong with a file is said`() async throws {
    #expect(await error(.file(folder + "/none.png")) == .notFound(path: folder + "/none.png"))
    #expect(await error(.file(folder)) == .notAFile(path: folder))
    // Neither waits for a writer nor reads without end.
    #expect(mkfifo(folder + "/pipe", 0o600) == 0)
    #expect(await error(.file(folder + "/pipe")) == .notAFile(path: folder + "/pipe"))
    #expect(await error(.file("/dev/zero")) == .notAFile(path: "/dev/zero"))
    let large = folder + "/large.png"
    try Data().write(to: URL(fileURLWithPath: large))
    // A hole: the size alone is looked at.
    #expect(truncate(large, 1 << 40) == 0)
    #expect(await error(.file(large)) == .tooManyBytes(limit: 16 << 20))
  }

  @Test func `what is wrong with an answer is said`() async throws {
    server["/gone"] = .whole("", status: 410)
    #expect(await error(.web(server.url("/gone"))) == .status(410))
    server["/busy"] = .whole("", status: 503)
    #expect(await error(.web(server.url("/busy"))) == .status(503))
    server["/wait"] = .whole("", status: 429, headers: ["Retry-After": "60"])
    let patient = PictureLibrary(client: HTTPClient(), converterPath: builtConverter) { headers in
      headers["Retry-After"].flatMap(TimeInterval.init).map(Date.init(timeIntervalSince1970:))
    }
    let refusal = await error(.web(server.url("/wait")), from: patient)
    #expect(refusal == .status(429, retryDate: Date(timeIntervalSince1970: 60)))
    #expect(refusal?.retryDate == Date(timeIntervalSince1970: 60))
    server["/endless"] = .endless()
    #expect(
      await error(.web(server.url("/endless")), from: limited(PictureLimits(bytes: 50_000)))
        == .web(.tooLarge(limit: 50_000)))
    server["/a"] = .redirect(to: "/b")
    server["/b"] = .redirect(to: "/a")
    #expect(
      await error(.web(server.url("/a")), from: limited(PictureLimits(redirects: 2)))
        == .web(.tooManyRedirects(limit: 2)))
    #expect(await error(.web("file:///etc/passwd")) == .web(.unsupportedScheme("file")))
  }

  @Test func `who named a picture decides where it may be`() async throws {
    server["/halves"] = .whole(try Corpus.bytes("halves.png"))
    let address = server.url("/halves")
    #expect(
      await error(.web(address, origin: .publicContent))
        == .web(.privateAddress(host: "127.0.0.1")))
    #expect(server.connectionCount == 0)
    let own = PictureSource.web(address, origin: .privateContent(host: "127.0.0.1"))
    #expect(described(try await load(own).cells) == Self.halves)
  }

  @Test func `bytes in memory are limited like others`() async throws {
    let library = limited(PictureLimits(bytes: 50))
    #expect(
      await error(.memory("x") { Array(repeating: 0, count: 51) }, from: library)
        == .tooManyBytes(limit: 50))
  }

  // MARK: Kept

  @Test func `a picture that was loaded is there at once, until the user asks again`() async throws
  {
    server["/halves"] = .whole(try Corpus.bytes("halves.png"))
    let source = PictureSource.web(server.url("/halves"))
    _ = try await load(source)
    server["/halves"] = .whole("gone", status: 404)
    #expect(described(try await load(source).cells) == Self.halves)
    await #expect(throws: PictureError.status(404)) {
      try await load(source, cause: .user)
    }
  }

  @Test func `offline a picture waits and says so, unless it is kept`() async throws {
    server["/halves"] = .whole(try Corpus.bytes("halves.png"))
    let network = LoadGate("offline")
    let library = PictureLibrary(
      client: HTTPClient(), converterPath: builtConverter, network: network)
    let source = PictureSource.web(server.url("/halves"))
    let runtime = ManualRuntime()
    let resource = runtime.resource(library.loader(for: request(source)))
    network.close()
    resource.appear()
    await runtime.run(until: { resource.activity?.pauseReason == "offline" })
    #expect(server.connectionCount == 0)
    network.open()
    await runtime.run(until: { resource.state.isLoaded })
    network.close()
    #expect(described(try await load(source, from: library).cells) == Self.halves)
  }

  @Test func `a picture in memory is fetched again after a day`() async throws {
    server["/daily"] = .whole(try Corpus.bytes("halves.png"))
    let clock = ManualClock()
    let loader = library.loader(for: request(.web(server.url("/daily"))))
    _ = try await loader.value(clock: clock.any)
    clock.advance(by: .seconds(23 * 3600))
    _ = try await loader.value(clock: clock.any)
    #expect(server.requests.count == 1)
    clock.advance(by: .seconds(2 * 3600))
    server["/daily"] = .whole(try Corpus.bytes("clear.png"))
    #expect(described(try await loader.value(clock: clock.any).cells) != Self.halves)
    #expect(server.requests.count == 2)
  }

  @Test func `an answer that is no picture is not kept, and can be tried again`() async throws {
    let source = PictureSource.web(server.url("/picture"))
    server["/picture"] = .whole("<html>")
    let failure = await error(source)
    #expect(failure == .notAPicture)
    #expect(failure?.isRetryable == true)
    server["/picture"] = .whole(try Corpus.bytes("halves.png"))
    #expect(described(try await load(source).cells) == Self.halves)
  }

  @Test func `another size of a picture is not fetched again`() async throws {
    server["/halves"] = .whole(try Corpus.bytes("halves.png"))
    let source = PictureSource.web(server.url("/halves"))
    _ = try await load(source)
    server["/halves"] = .whole("gone", status: 404)
    var wider = request(source)
    wider.room = Size(width: 8, height: 4)
    let picture = try await library.loader(for: wider).value(clock: ManualClock().any)
    #expect(picture.cells.size == Size(width: 8, height: 4))
  }

  @Test func `what does not fit in memory goes, the least used first`() {
    let cache = BoundedCache<String, [UInt8]>(capacity: 10, size: \.count)
    cache["a"] = [1, 2, 3, 4]
    cache["b"] = [1, 2, 3, 4]
    #expect(cache["a"] != nil)
    cache["c"] = [1, 2, 3, 4]
    #expect(cache["a"] != nil && cache["b"] == nil && cache["c"] != nil)
    #expect(cache.totalSize == 8)
    cache["d"] = Array(repeating: 0, count: 11)
    #expect(cache["d"] == nil && cache.totalSize == 8)
    cache["a"] = Array(repeating: 0, count: 11)
    #expect(cache["a"] == nil, "nothing out of date stays in the place of what is too large")
    #expect(cache.totalSize == 4)
  }

  // MARK: Room

  @Test func `the size of a picture is known once it was loaded, for any room`() async throws {
    server["/wide"] = .whole(try Corpus.bytes("wide.png"))
    let request = request(.web(server.url("/wide")))
    #expect(library.sizeIfKnown(of: request) == nil)
    _ = try await load(request.source)
    var other = request
    other.room = Size(width: 80, height: 24)
    #expect(library.sizeIfKnown(of: other) == Size(width: 80, height: 1))
  }

  @Test func `a file is checked without decoding it`() throws {
    try PictureFile.check(Corpus.path("sideways.jpg"))
    func refusal(_ bytes: String, limit: Int = 1_000) throws -> PictureError? {
      let path = folder + "/checked"
      try Data(bytes.utf8).write(to: URL(fileURLWithPath: path))
      do throws(PictureError) {
        try PictureFile.check(path, limit: limit)
        return nil
      } catch {
        return error
      }
    }
    #expect(try refusal("") == .notAPicture)
    #expect(try refusal("A letter.") == .notAPicture)
    #expect(try refusal("GIF89a..", limit: 4) == .tooManyBytes(limit: 4))
    #expect(try refusal("<svg xmlns='http://www.w3.org/2000/svg'/>") == .typeNotShown("SVG"))
    #expect(throws: PictureError.notFound(path: folder + "/none")) {
      try PictureFile.check(folder + "/none")
    }
    #expect(throws: PictureError.notAFile(path: folder)) { try PictureFile.check(folder) }
  }

  // MARK: Words

  @Test func `without a converter, words take the picture's place`() async throws {
    var request = request(.web("http://127.0.0.1:1/never-asked"), label: "a grey sock")
    request.room = Size(width: 30, height: 10)
    let without = PictureLibrary(client: HTTPClient(), converterPath: folder + "/argyle-pictures")
    #expect(!without.canDecode)
    let picture = try await without.loader(for: request).value(clock: ManualClock().any)
    #expect(picture.isText)
    #expect(picture.cells.text == "[picture: a grey sock]")
    #expect(picture.cells.size == Size(width: 22, height: 1))
  }

  @Test(arguments: [
    ("", 80, "[picture]"), ("a grey sock", 12, "[picture: a"), ("灰色の靴下", 15, "[picture: 灰色"),
    ("a\u{1B}[31m\u{202E}b\n", 80, "[picture: a[31mb ]"), ("a", 0, ""), ("a", -1, ""),
  ])
  func `words are cut and cleaned like any others`(label: String, width: Int, text: String) {
    let picture = Picture.text(label, width: width)
    #expect(picture.cells.text == text)
    #expect(picture.cells.size.width <= max(0, width))
  }

  // MARK: Errors

  @Test func `every error has words, and none of them comes from outside`() {
    let hostile = "\u{1B}]0;owned\u{7}\u{202E}" + String(repeating: "x", count: 9999)
    let errors: [PictureError] = [
      .notFound(path: hostile), .notAFile(path: hostile), .cannotRead(path: hostile, code: EIO),
      .web(.invalidAddress("x")), .web(.truncated), .web(.timedOut(.waiting)), .status(404),
      .web(.privateAddress(host: "x")), .web(.insecureRedirect(to: "x")),
      .web(.passwordInClear(host: "x")), .web(.certificate(.expired, reason: "x")), .noSandbox,
      .web(.noAuthorities(reason: "x")),
      .status(500), .tooManyBytes(limit: 1 << 20), .tooLarge(PixelSize(width: 1, height: 2)),
      .notAPicture, .typeNotShown("SVG"), .truncated, .broken, .outOfMemory, .noDecoder("GIF"),
      .cannotStart(code: ENOENT), .tookTooLong(.seconds(5)),
      .converterEnded(.signal(SIGSEGV)), .converterEnded(.status(70)), .invalidAnswer,
    ]
    for error in errors {
      #expect(error.what.hasSuffix("."), "\(error)")
      #expect(error.advice.hasSuffix("."), "\(error)")
      let saysRetry = error.advice.contains("Try again") || error.advice.contains("retry")
      #expect(!saysRetry || error.isRetryable, "\(error)")
      let detail = error.detail ?? ""
      #expect(detail.count <= 200 && !detail.unicodeScalars.contains { $0.value < 0x20 })
      #expect(!detail.contains("\u{202E}"), "\(error)")
    }
  }

  @Test func `a picture is said to crash the converter only if a signal has ended it`() {
    let crash = PictureError.converterEnded(.signal(SIGSEGV))
    #expect(crash.what == "The picture crashed the program that decodes pictures.")
    // As when a library is missing.
    let broken = PictureError.converterEnded(.status(127))
    #expect(broken.what == "The program that decodes pictures does not work here.")
    #expect(broken.advice == PictureError.cannotStart(code: ENOENT).advice)
    #expect(broken.detail == "Exit status 127")
  }

  @Test func `where a decoder is missing, the message names the type and what to install`() {
    let webP = PictureError.noDecoder("WebP")
    #expect(webP.what == "This system cannot decode WebP pictures.")
    #expect(webP.advice == "Install the package webp-pixbuf-loader.")
    #expect(PictureError.noDecoder("GIF").advice == "Install the GIF decoder for gdk-pixbuf.")
  }

  @Test func `a missing file of certificates is not blamed on the picture's server`() {
    let error = PictureError.web(.noAuthorities(reason: "r"))
    #expect(error.what == "The file of trusted certificates cannot be read.")
  }

  @Test func `only what can get better is tried again by itself`() {
    #expect(PictureError.status(503).isRetryable)
    #expect(PictureError.tookTooLong(.seconds(5)).isRetryable)
    #expect(!PictureError.status(404).isRetryable)
    #expect(PictureError.web(.truncated).isRetryable)
    #expect(!PictureError.web(.privateAddress(host: "router")).isRetryable)
    #expect(!PictureError.web(.certificate(.selfSigned, reason: "")).isRetryable)
    #expect(!PictureError.broken.isRetryable)
  }
}
