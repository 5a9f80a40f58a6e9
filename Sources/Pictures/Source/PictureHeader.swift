/// The facts in the first bytes of a picture, read without decoding it.
///
/// They are not verified by a decoder: use them only to reserve space, or to refuse a picture.
public enum PictureHeader: Hashable, Sendable {
  /// A supported type, with its name, and its upright size if the bytes contain it.
  case shown(type: String, PixelSize?)
  /// An unsupported type, with its name.
  case other(String)
  /// The type is not recognised.
  case unknown

  /// How many bytes contain the size of nearly every picture.
  static let length = 64 << 10

  /// Reads the first bytes of a picture, or all of them.
  public init(_ bytes: some Collection<UInt8>) {
    let bytes = HeaderBytes(bytes.prefix(Self.length))
    if bytes.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) {
      self = .shown(type: "PNG", Self.png(bytes))
    } else if bytes.has([0xFF, 0xD8, 0xFF], at: 0) {
      self = .shown(type: "JPEG", JPEGHeader.size(bytes))
    } else if bytes.has("GIF87a".utf8, at: 0) || bytes.has("GIF89a".utf8, at: 0) {
      self = .shown(type: "GIF", Self.size(bytes.little16(6), bytes.little16(8)))
    } else if bytes.has("RIFF".utf8, at: 0), bytes.has("WEBP".utf8, at: 8) {
      self = .shown(type: "WebP", Self.webP(bytes))
    } else {
      self = Self.otherType(bytes).map { .other($0) } ?? .unknown
    }
  }

  static func size(_ width: Int?, _ height: Int?) -> PixelSize? {
    guard let width, let height, width > 0, height > 0 else { return nil }
    return PixelSize(width: width, height: height)
  }

  private static func png(_ bytes: HeaderBytes) -> PixelSize? {
    bytes.has("IHDR".utf8, at: 12) ? size(bytes.big32(16), bytes.big32(20)) : nil
  }

  private static func webP(_ bytes: HeaderBytes) -> PixelSize? {
    if bytes.has("VP8 ".utf8, at: 12), bytes.has([0x9D, 0x01, 0x2A], at: 23) {
      // The two highest bits are a scaling hint, which decoders ignore.
      return size(bytes.little16(26).map { $0 & 0x3FFF }, bytes.little16(28).map { $0 & 0x3FFF })
    }
    if bytes.has("VP8L".utf8, at: 12), bytes.has([0x2F], at: 20),
      let low = bytes.little16(21), let high = bytes.little16(23)
    {
      let packed = high << 16 | low
      return size(packed & 0x3FFF + 1, packed >> 14 & 0x3FFF + 1)
    }
    if bytes.has("VP8X".utf8, at: 12), let width = bytes.little24(24),
      let height = bytes.little24(27)
    {
      return size(width + 1, height + 1)
    }
    return nil
  }

  private static func otherType(_ bytes: HeaderBytes) -> String? {
    let heads: [(String, [[UInt8]])] = [
      ("TIFF", [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A]]),
      ("BMP", [Array("BM".utf8)]),
      ("ICO", [[0, 0, 1, 0]]),
      ("JPEG XL", [[0xFF, 0x0A], [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20]]),
      ("PDF", [Array("%PDF".utf8)]),
    ]
    let known = heads.first { $0.1.contains { bytes.has($0, at: 0) } }?.0
    if let known { return known }
    if outermostElement(bytes).suffix(3).elementsEqual("svg".utf8) { return "SVG" }
    guard bytes.has("ftyp".utf8, at: 4) else { return nil }
    if bytes.has("avif".utf8, at: 8) { return "AVIF" }
    return bytes.has("hei".utf8, at: 8) || bytes.has("mif1".utf8, at: 8) ? "HEIF" : nil
  }
}

extension PictureHeader {
  /// Returns the name of the outermost element of a document in XML, with its prefix; empty for
  /// anything else.
  ///
  /// A web page may contain a drawing, and begin as one does.
  private static func outermostElement(_ bytes: HeaderBytes) -> [UInt8] {
    guard bytes.has("<".utf8, at: 0) else { return [] }
    var index = 0
    while index < bytes.count {
      if bytes.has("<!--".utf8, at: index) {
        while index < bytes.count, !bytes.has("-->".utf8, at: index) { index += 1 }
      } else if bytes.has("<".utf8, at: index) {
        let name = bytes.name(at: index + 1)
        if !name.isEmpty { return name }
      }
      index += 1
    }
    return []
  }
}

/// Reads numbers at offsets in bytes; nil past the end.
struct HeaderBytes {
  private let bytes: [UInt8]

  init(_ bytes: some Collection<UInt8>) { self.bytes = Array(bytes) }

  var count: Int { bytes.count }

  func byte(_ index: Int) -> Int? { bytes.indices.contains(index) ? Int(bytes[index]) : nil }

  func has(_ part: some Collection<UInt8>, at index: Int) -> Bool {
    index >= 0 && index + part.count <= count
      && bytes[index..<(index + part.count)].elementsEqual(part)
  }

  func big16(_ index: Int) -> Int? { number(index..<(index + 2)) }
  func big32(_ index: Int) -> Int? { number(index..<(index + 4)) }
  func little16(_ index: Int) -> Int? { number((index..<(index + 2)).reversed()) }
  func little24(_ index: Int) -> Int? { number((index..<(index + 3)).reversed()) }
  func little32(_ index: Int) -> Int? { number((index..<(index + 4)).reversed()) }

  /// The letters at an index, with colons.
  func name(at index: Int) -> [UInt8] {
    Array(bytes.dropFirst(index).prefix { 0x61...0x7A ~= $0 | 0x20 || 0x30...0x3A ~= $0 })
  }

  private func number(_ indices: some Sequence<Int>) -> Int? {
    indices.reduce(0) { sum, index in
      guard let sum, let byte = byte(index) else { return nil }
      return sum << 8 | byte
    }
  }
}
