import Foundation
import Testing

@testable import Terminal

/// Pictures of pixels.
@Suite struct PNGTests {
  /// A font of one glyph, "A", that is one row at its top, and in bold two.
  private let font: BitmapFont = {
    var bytes: [UInt8] = [0x41, 0]
    for rows in [1, 2] {
      for y in 0..<20 { bytes += y < rows ? [0xFF, 0x03] : [0, 0] }
    }
    return BitmapFont(bytes)
  }()

  @Test func `a glyph has rows of its own where it is bold, and what is unknown has none`() {
    #expect(font.rows(of: 0x41, isBold: false)?.prefix(3) == [0x3FF, 0, 0])
    #expect(font.rows(of: 0x41, isBold: true)?.prefix(3) == [0x3FF, 0x3FF, 0])
    #expect(font.rows(of: 0x42, isBold: false) == nil)
    #expect(BitmapFont([1, 2, 3]).rows(of: 1, isBold: false) == nil)
  }

  @Test func `a file has its header, its pixels and its end, and is the same each time`() {
    var cells = CellBuffer(size: Size(width: 3, height: 2))
    cells.write("AB", at: Point(x: 0, y: 0))
    let exporter = PNGExporter(font: font)
    let bytes = exporter.bytes(from: cells)
    #expect(bytes == exporter.bytes(from: cells))
    #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    #expect(Array(bytes[12..<16]) == Array("IHDR".utf8))
    // 3 × 10 and 2 × 20 pixels, and 10 at each side.
    #expect(Array(bytes[16..<24]) == [0, 0, 0, 50, 0, 0, 0, 60])
    #expect(bytes.suffix(12) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
  }

  /// Compared with a reader that somebody else wrote.
  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")))
  func `what is in a file is what was drawn`() throws {
    var cells = CellBuffer(size: Size(width: 40, height: 12))
    for y in 0..<12 {
      for x in 0..<40 {
        cells.write(
          ["A", "█", "▀", "░", " ", "字"][(x * 7 + y * 5) % 6], at: Point(x: x, y: y),
          style: Style(
            foreground: Color(red: UInt8(x * 6), green: UInt8(y * 20), blue: UInt8((x * y) % 256))))
      }
    }
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("png-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(PNGExporter(font: font).bytes(from: cells)).write(to: file)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      "-c",
      """
      import struct, sys, zlib
      data = open(sys.argv[1], "rb").read()
      place, body = 8, b""
      while place < len(data):
        size, name = struct.unpack(">I4s", data[place:place + 8])
        part = data[place + 8:place + 8 + size]
        assert zlib.crc32(name + part) == struct.unpack(">I", data[place + 8 + size:place + 12 + size])[0]
        if name == b"IDAT": body += part
        place += 12 + size
      raw = zlib.decompress(body)
      print(len(raw), zlib.crc32(raw))
      """, file.path,
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(output.hasPrefix("\((3 * 420 + 1) * 260) "))
  }
}
