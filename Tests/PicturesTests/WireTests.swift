import Pictures
import PseudoTerminal
import Terminal
import Testing

@testable import PictureConverter
@testable import Pictures

/// The two ends of the wire, which share no code.
@Suite struct WireTests {
  @Test func `the converter reads every request as it was meant`() throws {
    try forEachSeed { generator, seed in
      var request = PictureRequest.sample()
      request.room = Size(
        width: .random(in: 1...1000, using: &generator),
        height: .random(in: 1...1000, using: &generator))
      request.enlarges = .random(using: &generator)
      let limits = PictureLimits(
        length: .random(in: 0...99_999, using: &generator),
        pixels: .random(in: 0...99_999_999, using: &generator))
      let picture = generator.bytes(upTo: 300)
      let id = UInt32.random(in: .min ... .max, using: &generator)

      let message = RequestMessage.bytes(id: id, request, picture: picture, limits: limits)
      var reader = ByteReader(message[...])
      #expect(reader.number(UInt32.self) == UInt32(message.count - 4), "seed \(seed)")
      let read = try #require(Request(message[4...]), "seed \(seed)")
      #expect(read.id == id, "seed \(seed)")
      #expect(
        [read.columns, read.rows] == [request.room.width, request.room.height].map(UInt16.init))
      #expect(read.enlarges == request.enlarges, "seed \(seed)")
      #expect(read.maximumLength == UInt32(limits.length), "seed \(seed)")
      #expect(read.maximumPixels == UInt32(limits.pixels), "seed \(seed)")
      #expect(Array(read.picture) == picture, "seed \(seed)")
    }
  }

  @Test func `cells come back as they were sent`() throws {
    try forEachSeed { generator, seed in
      let (columns, rows) = (
        Int.random(in: 1...5, using: &generator), Int.random(in: 1...5, using: &generator)
      )
      let colors: [CellGrid.Color] = [.transparent, .rgb(0x123456), .rgb(0), .rgb(0xFFFFFF)]
      let cells = (0..<(columns * rows)).map { _ in
        CellGrid.Cell(
          scalar: [0x20, 0x2580, 0x2588, 0x259F].randomElement(using: &generator) ?? 0x20,
          foreground: colors.randomElement(using: &generator) ?? .transparent,
          background: colors.randomElement(using: &generator) ?? .transparent)
      }
      let grid = CellGrid(columns: columns, rows: rows, cells: cells)
      let message = Answer.cells(grid).message(id: 7)
      let read = try AnswerMessage.cells(
        in: Array(message.dropFirst(4)), id: 7, request: .sample(5, 5), type: "PNG")
      #expect(read.size == Size(width: columns, height: rows), "seed \(seed)")
      for (index, cell) in cells.enumerated() {
        let shown = read[index % columns, index / columns]
        let isClear = cell.foreground == .transparent && cell.background == .transparent
        #expect(
          shown.glyph.scalars.map(\.value) == [isClear ? 0x20 : cell.scalar], "seed \(seed)")
        #expect(shown.style == style(cell), "seed \(seed)")
      }
    }
  }

  /// What is seen of a cell: of a blank its background, and a hole as the reverse of its surround.
  private func style(_ cell: CellGrid.Cell) -> Style {
    func color(_ color: CellGrid.Color) -> Color {
      guard case .rgb(let rgb) = color else { return .default }
      return Color(
        red: UInt8(rgb >> 16), green: UInt8(rgb >> 8 & 0xFF), blue: UInt8(rgb & 0xFF))
    }
    let (foreground, background) = (color(cell.foreground), color(cell.background))
    if cell.scalar == 0x20 { return Style(background: background) }
    if foreground == .default, background != .default {
      return Style(foreground: background, attributes: .reverse)
    }
    return Style(foreground: foreground, background: background)
  }

  @Test func `a shape that is as clear as what is around it is not shown`() throws {
    let sent = CellGrid(
      columns: 1, rows: 1,
      cells: [.init(scalar: 0x2582, foreground: .transparent, background: .transparent)])
    let cells = try AnswerMessage.cells(
      in: Array(Answer.cells(sent).message(id: 9).dropFirst(4)), id: 9, request: .sample(),
      type: "PNG")
    #expect(cells.row(0).map(\.glyph.text) == [" "])
  }

  @Test(arguments: [
    (Failure.unknownType, PictureError.notAPicture),
    (.tooLarge(width: 70_000, height: 3), .tooLarge(.init(width: 70_000, height: 3))),
    (.truncated, .truncated), (.broken, .broken), (.outOfMemory, .outOfMemory),
    (.noDecoder, .noDecoder("PNG")), (.noSandbox, .noSandbox),
  ])
  func `failures come back as they were sent`(sent: Failure, read: PictureError) {
    let message = Array(Answer.failure(sent).message(id: 9).dropFirst(4))
    #expect(throws: read) {
      try AnswerMessage.cells(in: message, id: 9, request: .sample(), type: "PNG")
    }
  }

  @Test func `nothing is decoded by a process that could not deny itself the system`() throws {
    let message = RequestMessage.bytes(
      id: 7, .sample(), picture: try Corpus.bytes("halves.png"), limits: PictureLimits())
    let request = try #require(Request(message.dropFirst(4)))
    #expect(PictureConverter.answer(to: request, isLocked: false) == .failure(.noSandbox))
  }

  @Test func `whatever a request is changed to, its room and version are checked`() {
    let honest = RequestMessage.bytes(
      id: 7, .sample(), picture: [1, 2, 3], limits: PictureLimits()
    ).dropFirst(4)
    var readCount = 0
    forEachSeed(3000) { generator, seed in
      let bytes = changed(Array(honest), seed: seed, by: &generator)
      guard let request = Request(bytes[...]) else { return }
      readCount += 1
      #expect(bytes[0] == 2, "seed \(seed)")
      #expect(1...1000 ~= request.columns && 1...1000 ~= request.rows, "seed \(seed)")
    }
    #expect(100..<2900 ~= readCount)
  }

  /// Changes up to four bytes of a message, and cuts every fifth message.
  private func changed(
    _ honest: [UInt8], seed: UInt64, by generator: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = honest
    for _ in 0...Int.random(in: 0...3, using: &generator) {
      bytes[.random(in: bytes.indices, using: &generator)] = .random(
        in: .min ... .max, using: &generator)
    }
    if seed % 5 == 0 { bytes.removeLast(.random(in: 0...bytes.count, using: &generator)) }
    return bytes
  }

  /// An answer to a request for at most 3×2 cells, with one thing wrong.
  private static let lies: [(String, [UInt8])] = {
    func answer(
      version: UInt8 = 2, id: UInt8 = 7, kind: UInt8 = 0, columns: UInt8 = 1, rows: UInt8 = 1,
      cells: [[UInt8]] = [[0x88, 0x25, 0, 0, 1, 2, 3, 1, 0, 0, 0, 0]]
    ) -> [UInt8] {
      [version, id, 0, 0, 0, kind, columns, 0, rows, 0] + cells.flatMap(\.self)
    }
    func colors(_ colors: UInt8...) -> [[UInt8]] { [[0x88, 0x25, 0, 0] + colors] }
    func scalar(_ scalar: UInt8...) -> [[UInt8]] { [scalar + plain] }
    let plain: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    return [
      ("nothing", []), ("half a head", [2, 7, 0]), ("a head alone", [2, 7, 0, 0, 0, 0]),
      ("another version", answer(version: 1)), ("another question's", answer(id: 8)),
      ("an unknown kind", answer(kind: 7)), ("a failure with more", answer(kind: 1)),
      ("no columns", answer(columns: 0, cells: [])), ("no rows", answer(rows: 0, cells: [])),
      (
        "too many columns",
        answer(columns: 4, cells: Array(repeating: scalar(0x20, 0, 0, 0)[0], count: 4))
      ),
      (
        "too many rows",
        answer(rows: 3, cells: Array(repeating: scalar(0x20, 0, 0, 0)[0], count: 3))
      ),
      ("a cell too few", answer(columns: 2)), ("a byte too many", answer() + [0]),
      ("an escape", answer(cells: scalar(0x1B, 0, 0, 0))),
      ("a letter", answer(cells: scalar(0x41, 0, 0, 0))),
      ("a right-to-left override", answer(cells: scalar(0x2E, 0x20, 0, 0))),
      ("a shade", answer(cells: scalar(0x92, 0x25, 0, 0))),
      ("half of a surrogate pair", answer(cells: scalar(0, 0xD8, 0, 0))),
      ("beyond Unicode", answer(cells: scalar(0, 0, 0xFF, 0xFF))),
      ("a colour of no kind", answer(cells: colors(0, 0, 0, 2, 0, 0, 0, 0))),
      ("transparent in red", answer(cells: colors(0, 0, 0, 0, 1, 0, 0, 0))),
    ]
  }()

  @Test(arguments: lies.map(\.0))
  func `an answer with a lie in it is no answer`(name: String) throws {
    let lie = try #require(Self.lies.first { $0.0 == name }).1
    #expect(throws: PictureError.invalidAnswer) {
      try AnswerMessage.cells(in: lie, id: 7, request: .sample(3, 2), type: "PNG")
    }
  }

  @Test func `whatever comes back, only blocks inside the room become cells`() {
    let honest = Answer.cells(
      CellGrid(
        columns: 3, rows: 2,
        cells: (0..<6).map {
          CellGrid.Cell(scalar: 0x2580, foreground: .rgb($0), background: .transparent)
        })
    ).message(id: 7).dropFirst(4)
    forEachSeed(3000) { generator, seed in
      let bytes = changed(Array(honest), seed: seed, by: &generator)
      guard
        let cells = try? AnswerMessage.cells(
          in: bytes, id: 7, request: .sample(3, 2), type: "PNG")
      else { return }
      #expect(cells.size.width <= 3 && cells.size.height <= 2, "seed \(seed)")
      for y in 0..<cells.size.height {
        for cell in cells.row(y) {
          let scalar = cell.glyph.scalars.first?.value ?? 0
          #expect(AnswerMessage.isBlock(Int(scalar)), "seed \(seed)")
        }
      }
    }
  }
}

extension SeededGenerator {
  /// Up to `limit` bytes of any value.
  mutating func bytes(upTo limit: Int) -> [UInt8] {
    (0..<Int.random(in: 0...limit, using: &self)).map { _ in
      UInt8.random(in: .min ... .max, using: &self)
    }
  }
}
