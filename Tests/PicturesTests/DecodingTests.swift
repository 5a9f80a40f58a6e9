import PseudoTerminal
import Terminal
import Testing

@testable import Pictures

/// What the real converter makes of real pictures.
@Suite(.timeLimit(.minutes(10))) struct DecodingTests {
  let converter = Converter.built()

  func cells(_ name: String) async throws -> [[String]] {
    described(try await converter.cells(of: Corpus.bytes(name), for: Corpus.request(name)))
  }

  @Test(arguments: [
    "halves.png", "palette.png", "halves.gif", "halves.webp",
  ])
  func `a picture of two colours becomes cells of two colours`(name: String) async throws {
    #expect(
      try await cells(name) == [
        [". -/ff0000", ". -/ff0000", ". -/0000ff", ". -/0000ff"],
        [". -/ff0000", ". -/ff0000", ". -/0000ff", ". -/0000ff"],
      ])
  }

  @Test(arguments: ["halves.jpg", "progressive.jpg"])
  func `a JPEG is nearly of the same colours`(name: String) async throws {
    #expect(
      try await cells(name) == [
        [". -/fe0000", ". -/fe0000", ". -/0000fe", ". -/0000fe"],
        [". -/fe0000", ". -/fe0000", ". -/0000fe", ". -/0000fe"],
      ])
  }

  @Test(arguments: ["animated.gif", "animated.webp", "animated.png"])
  func `of an animation the first frame is shown`(name: String) async throws {
    #expect(
      try await cells(name)
        == Array(
          repeating: Array(repeating: ". -/ff0000", count: 4), count: 2))
  }

  @Test func `where a picture is clear, the terminal's background is seen`() async throws {
    #expect(
      try await cells("clear.png") == [[". -/-", ". -/-"], [". -/ff0000", ". -/ff0000"]])
    #expect(try await cells("hole.png") == [[". -/-", ". -/-"], [". -/ff0000", ". -/ff0000"]])
  }

  @Test func `half of a cell can be clear`() async throws {
    var request = Corpus.request("clear.png")
    request.room = Size(width: 1, height: 1)
    let upper = try await converter.cells(of: Corpus.bytes("clear.png"), for: request)
    let lower = try await converter.cells(of: Corpus.bytes("hole.png"), for: request)
    #expect(described(upper) == described(lower))
    #expect(described(upper) == [["▀~ ff0000/-"]])
  }

  @Test func `sixteen bits of grey become eight`() async throws {
    #expect(
      try await cells("grey16.png") == [
        [". -/202020", ". -/202020", ". -/202020", ". -/202020"],
        [". -/e0e0e0", ". -/e0e0e0", ". -/e0e0e0", ". -/e0e0e0"],
      ])
  }

  @Test func `a picture that lies on its side is turned`() async throws {
    // Red on the left, turned to the right: red above.
    #expect(
      try await cells("sideways.jpg") == [
        [". -/fe0000", ". -/fe0000"], [". -/0000fe", ". -/0000fe"],
      ])
  }

  @Test func `an edge inside of a cell is a symbol`() async throws {
    var request = Corpus.request("edge.png")
    request.room = Size(width: 5, height: 1)
    let cells = try await converter.cells(of: Corpus.bytes("edge.png"), for: request)
    let row = described(cells)[0]
    #expect(row[0...1] == [". -/ff0000", ". -/ff0000"])
    #expect(row[2] == "▌ ff0000/0000ff" || row[2] == "▐ 0000ff/ff0000")
    #expect(row[3...4] == [". -/0000ff", ". -/0000ff"])
  }

  @Test func `a small picture is enlarged only on request`() async throws {
    for (enlarges, size) in [(true, Size(width: 4, height: 2)), (false, Size(width: 1, height: 1))]
    {
      let request = Corpus.request("pixel.png", enlarges: enlarges)
      let cells = try await converter.cells(of: Corpus.bytes("pixel.png"), for: request)
      #expect(cells.size == size)
    }
  }

  @Test func `a size that is too large is refused before it is decoded`() async throws {
    for (name, size) in [
      ("huge.png", PixelSize(width: 10_000, height: 10_000)),
      ("long.png", PixelSize(width: 20_000, height: 1)),
    ] {
      await #expect(throws: PictureError.tooLarge(size)) {
        try await converter.cells(of: Corpus.bytes(name), for: Corpus.request(name))
      }
    }
    // Not one page more than for the smallest picture.
    #expect(converter.activity.startCount == 1)
  }

  @Test func `limits are the request's`() async throws {
    for limits in [PictureLimits(length: 31), PictureLimits(pixels: 32 * 32 - 1)] {
      for name in ["halves.png", "halves.jpg", "halves.gif", "halves.webp"] {
        await #expect(throws: PictureError.tooLarge(PixelSize(width: 32, height: 32)), "\(name)") {
          try await converter.cells(
            of: Corpus.bytes(name), for: Corpus.request(name), limits: limits)
        }
      }
    }
    let enough = PictureLimits(length: 32, pixels: 32 * 32)
    _ = try await converter.cells(
      of: Corpus.bytes("halves.png"), for: Corpus.request("halves.png"), limits: enough)
  }

  @Test func `a picture that was cut is a failure, wherever that was`() async throws {
    for name in try Corpus.names() {
      let bytes = try Corpus.bytes(name)
      for end in stride(from: 12, to: bytes.count - 1, by: max(1, bytes.count / 20)) {
        let result = await Result.of {
          try await converter.cells(of: Array(bytes.prefix(end)), for: Corpus.request(name))
        }
        switch result {
        case .failure(let error): #expect(error as? PictureError == .truncated, "\(name) at \(end)")
        case .success:
          // What may be missing of an animation is what comes after its first frame.
          #expect(name == "animated.gif" || end >= bytes.count - 2, "\(name) at \(end)")
        }
      }
    }
    #expect(converter.activity.startCount == 1, "none of them ended the converter")
  }

  @Test(arguments: ["halves.jpg", "progressive.jpg"])
  func `a JPEG may have something after its end, and a preview before it`(name: String)
    async throws
  {
    let jpeg = try Corpus.bytes(name)
    let plain = try await cells(name)
    func decoded(_ bytes: [UInt8]) async throws -> [[String]] {
      described(try await converter.cells(of: bytes, for: Corpus.request(name)))
    }
    // A film, as telephones append it, in which there is the beginning of a scan.
    let film = Array("\0\0\0\u{18}ftypmp42".utf8) + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2]
    #expect(try await decoded(jpeg + film) == plain)

    let preview = try Corpus.bytes("sideways.jpg")
    let length = preview.count + 2
    let segment = [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 0xFF)] + preview
    let whole = jpeg.prefix(2) + segment + jpeg.dropFirst(2)
    #expect(try await decoded(Array(whole)) == plain)
    // Cut before the picture's own scan begins.
    await #expect(throws: PictureError.truncated) {
      try await decoded(Array(whole.prefix(segment.count + 40)))
    }
  }

  @Test func `something else in the place of pixels is a failure`() async throws {
    var png = try Corpus.bytes("halves.png")
    for index in 41..<60 { png[index] = 0xAA }
    await #expect(throws: PictureError.broken) {
      try await converter.cells(of: png, for: Corpus.request("halves.png"))
    }
    await #expect(throws: PictureError.notAPicture) {
      try await converter.cells(of: Array("GIF".utf8), for: .sample())
    }
  }
}

extension Result where Failure == any Error {
  static func of(_ body: () async throws -> Success) async -> Result {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
