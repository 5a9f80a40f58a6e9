import PseudoTerminal
import Testing

@testable import Pictures

@Suite struct HeaderTests {
  @Test(arguments: [
    ("halves.png", 32, 32), ("halves.jpg", 32, 32), ("halves.gif", 32, 32),
    ("halves.webp", 32, 32), ("lossy.webp", 32, 32), ("clear.webp", 16, 32),
    ("animated.webp", 16, 16), ("progressive.jpg", 32, 32), ("wide.png", 128, 4),
    ("tall.png", 4, 128), ("huge.png", 10_000, 10_000), ("sideways.jpg", 16, 32),
  ])
  func `a picture says how large it is`(name: String, width: Int, height: Int) throws {
    let header = PictureHeader(try Corpus.bytes(name))
    let types = ["png": "PNG", "jpg": "JPEG", "gif": "GIF", "webp": "WebP"]
    let type = try #require(name.split(separator: ".").last.flatMap { types[String($0)] })
    #expect(header == .shown(type: type, PixelSize(width: width, height: height)))
  }

  @Test func `what its header says is what its decoder finds`() async throws {
    let converter = Converter.built()
    for name in try Corpus.names() {
      for enlarges in [false, true] {
        let bytes = try Corpus.bytes(name)
        let request = Corpus.request(name, enlarges: enlarges)
        guard case .shown(_, let size?) = PictureHeader(bytes) else {
          Issue.record("no size in \(name)")
          continue
        }
        let cells = try await converter.cells(of: bytes, for: request)
        #expect(cells.size == PictureFit.size(of: size, in: request), "\(name)")
      }
    }
  }

  @Test(arguments: [
    ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "SVG"), ("II*\0", "TIFF"), ("MM\0*", "TIFF"),
    ("BM....", "BMP"), ("\0\0\u{1}\0", "ICO"), ("%PDF-1.4", "PDF"), ("....ftypavif", "AVIF"),
    ("....ftypheic", "HEIF"), ("<?xml version=\"1.0\"?>\n<svg width='1'/>", "SVG"),
    ("<?xml version='1.0'?><!DOCTYPE svg><!-- <g> -- <p> --><ns0:svg>", "SVG"),
  ])
  func `other types are called by their name`(text: String, type: String) {
    #expect(PictureHeader(Array(text.utf8)) == .other(type))
  }

  @Test(arguments: [
    "", "hello", "<html>", "RIFF....WAVE", "GIF88a", "\u{89}PNG", "<?xml version='1.0'?>",
    "<?xml version='1.0'?><!DOCTYPE html><html><body><svg/></body></html>", "<!-- <svg/>", "<",
  ])
  func `what is no picture is not called one`(text: String) {
    #expect(PictureHeader(Array(text.utf8)) == .unknown)
  }

  @Test func `a header cut anywhere says nothing wrong`() throws {
    for name in try Corpus.names() {
      let bytes = try Corpus.bytes(name)
      guard case .shown(_, let whole) = PictureHeader(bytes) else { continue }
      for end in bytes.indices {
        if case .shown(_, let size?) = PictureHeader(bytes.prefix(end)) {
          #expect(size == whole, "\(name) cut at \(end)")
        }
      }
    }
  }

  @Test func `no bytes trap the reader of headers`() throws {
    let corpus = try Corpus.names().map(Corpus.bytes)
    forEachSeed(3000) { generator, seed in
      var bytes = corpus[Int(seed) % corpus.count]
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[.random(in: bytes.indices, using: &generator)] = .random(
          in: .min ... .max, using: &generator)
      }
      if case .shown(_, let size?) = PictureHeader(bytes) {
        #expect(size.width > 0 && size.height > 0, "seed \(seed)")
      }
    }
  }
}
