import TerminalUI

/// The calculated picture of a sock: the same cells on every machine, without a decoder.
///
/// A sock consists of tubes around two lines, the leg and the foot. Every point has a position
/// along and across them, and a pattern gives each position a colour.
struct DemoSock {
  private let pattern: String
  private let palette: Palette

  /// Makes the picture for a name such as `argyle-red`; nil if the colour is unknown.
  init?(named name: String) {
    guard let dash = name.lastIndex(of: "-"),
      let palette = Palette.named[String(name[name.index(after: dash)...])]
    else { return nil }
    pattern = String(name[..<dash])
    self.palette = palette
  }

  /// Returns the picture as large as fits into `room`.
  ///
  /// It is square, and a cell is twice as high as wide.
  func cells(in room: Size) -> CellBuffer {
    let width = min(room.width, room.height * 2)
    var cells = CellBuffer(size: Size(width: width, height: width / 2))
    for y in 0..<cells.size.height {
      for x in 0..<width {
        let quarters = [(0, 0), (1, 0), (0, 1), (1, 1)].map { right, down in
          quarter(x * 2 + right, y * 2 + down, of: width)
        }
        let point = Point(x: x, y: y)
        let inside = quarters.indices.filter { quarters[$0].isInside }
        if inside.count == 4 {
          // Inside the sock, colour matters more than shape.
          let style = Style(
            foreground: Mean(of: quarters[..<2]).color, background: Mean(of: quarters[2...]).color)
          cells.write("▀", at: point, style: style)
        } else if !inside.isEmpty {
          let style = Style(foreground: Mean(of: inside.map { quarters[$0] }).color)
          cells.write(Self.blocks[inside.reduce(0) { $0 | 1 << $1 }], at: point, style: style)
        }
      }
    }
    return cells
  }

  /// The block characters, indexed by which quarters of a cell are inside: upper left, upper right,
  /// lower left and lower right.
  private static let blocks = [
    " ", "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█",
  ]

  /// Returns the part of the sock in a quarter of a cell.
  private func quarter(_ x: Int, _ y: Int, of width: Int) -> Mean {
    let samples = 4
    var mean = Mean(outOf: samples * samples)
    for step in 0..<samples * samples {
      let across = (Double(x) + (Double(step % samples) + 0.5) / Double(samples)) / 2
      let down = Double(y) + (Double(step / samples) + 0.5) / Double(samples)
      if let shade = shade(across / Double(width), down / Double(width)) { mean.add(shade) }
    }
    return mean
  }

  /// Returns the colour at a point of the unit square; nil outside of the sock.
  private func shade(_ x: Double, _ y: Double) -> Shade? {
    let leg = Tube(from: (0.36, 0.05), to: (0.36, 0.60), radius: 0.165).place(of: x, y)
    let foot = Tube(from: (0.38, 0.76), to: (0.78, 0.80), radius: 0.150).place(of: x, y)
    let heel = Tube(from: (0.36, 0.60), to: (0.38, 0.76), radius: 0.175).place(of: x, y)
    guard y >= 0.04, leg.isInside || foot.isInside || heel.isInside else { return nil }
    if y < 0.16, leg.isInside { return palette.trim }
    if foot.isInside, foot.along > 0.34 { return palette.trim }
    // The back of the heel.
    if heel.isInside, x + (y - 0.60) * 0.5 < 0.34, y > 0.56 { return palette.trim }
    let place = foot.isInside && x > 0.40 && y > 0.62 ? foot : leg
    let along = place.along + (foot.isInside && x > 0.40 ? 0.62 : 0)
    return isFigure(along, place.across) ? palette.figure : palette.ground
  }

  private func isFigure(_ along: Double, _ across: Double) -> Bool {
    switch pattern {
    case "argyle": return ramp(along, 0.22) + ramp(across + 0.11, 0.22) < 0.95
    case "striped": return part(along, 0.14) < 0.5
    case "dots", "hearts":
      let row = (along / 0.13).rounded(.down)
      let shift = row.truncatingRemainder(dividingBy: 2) == 0 ? 0 : 0.065
      return ramp(along, 0.13) < 0.55 && ramp(across + shift, 0.13) < 0.55
    case "stars", "snow": return ramp(along, 0.20) + ramp(across + along * 0.5, 0.16) < 0.5
    case "chevron", "herringbone": return part(along + abs(across) * 0.9, 0.14) < 0.5
    case "gingham", "houndstooth": return (part(along, 0.12) < 0.5) != (part(across, 0.12) < 0.5)
    case "fair-isle": return part(along, 0.24) < 0.4 && part(across + along, 0.08) < 0.6
    case "cable": return part(across, 0.08) < 0.4
    case "hiking": return part(along, 0.30) < 0.25
    default: return false
    }
  }

  /// The position within a period, 0..<1.
  private func part(_ value: Double, _ period: Double) -> Double {
    value / period - (value / period).rounded(.down)
  }

  /// The distance from the middle of a period: 0 in the middle, 1 at its ends.
  private func ramp(_ value: Double, _ period: Double) -> Double {
    abs(part(value, period) * 2 - 1)
  }
}

/// A line with a thickness.
private struct Tube {
  let from: (x: Double, y: Double)
  let to: (x: Double, y: Double)
  let radius: Double

  /// Returns the position of a point along and across the line.
  func place(of x: Double, _ y: Double) -> (along: Double, across: Double, isInside: Bool) {
    let (dx, dy) = (to.x - from.x, to.y - from.y)
    let length = (dx * dx + dy * dy).squareRoot()
    let along = ((x - from.x) * dx + (y - from.y) * dy) / length
    let nearest = min(length, max(0, along))
    let (px, py) = (from.x + dx / length * nearest - x, from.y + dy / length * nearest - y)
    let across = ((x - from.x) * dy - (y - from.y) * dx) / length
    return (along, across, (px * px + py * py).squareRoot() <= radius)
  }
}

/// The mean of the colours of some points.
private struct Mean {
  private var count = 0
  private var total: Int
  private var sum = (red: 0, green: 0, blue: 0)

  init(outOf total: Int) { self.total = total }

  init(of parts: some Sequence<Mean>) {
    total = 0
    for part in parts {
      count += part.count
      total += part.total
      sum = (sum.red + part.sum.red, sum.green + part.sum.green, sum.blue + part.sum.blue)
    }
  }

  mutating func add(_ shade: Shade) {
    count += 1
    sum = (sum.red + shade.red, sum.green + shade.green, sum.blue + shade.blue)
  }

  /// Whether the sock covers at least half of the points.
  var isInside: Bool { count * 2 >= total }

  var color: Color {
    let count = max(1, count)
    return Color(
      red: UInt8(sum.red / count), green: UInt8(sum.green / count), blue: UInt8(sum.blue / count))
  }
}

private struct Shade {
  let red: Int
  let green: Int
  let blue: Int

  init(_ hex: Int) {
    (red, green, blue) = (hex >> 16 & 0xFF, hex >> 8 & 0xFF, hex & 0xFF)
  }
}

private struct Palette {
  let ground: Shade
  let figure: Shade
  /// The colour of the cuff, the heel and the toe.
  let trim: Shade

  private init(_ ground: Int, _ figure: Int, _ trim: Int) {
    (self.ground, self.figure, self.trim) = (Shade(ground), Shade(figure), Shade(trim))
  }

  static let named: [String: Palette] = [
    "red": Palette(0xB3383F, 0xF1D9B5, 0x6E1F2A), "green": Palette(0x3E7A52, 0xE3E8C4, 0x24503A),
    "grey": Palette(0x7F8791, 0xD7DCE2, 0x4C525B), "navy": Palette(0x2C3F6B, 0xE8EDF4, 0xC0504D),
    "yellow": Palette(0xE2B93B, 0xFFF3CC, 0x8A5A1F), "blue": Palette(0x3F77B5, 0xF0F4F8, 0x274A75),
    "brown": Palette(0x7A553A, 0xE9D3B0, 0x4A3122), "pink": Palette(0xE39AB0, 0xB3314F, 0xF7DCE4),
    "black": Palette(0x2B2D31, 0xE9E9E9, 0x55585F), "white": Palette(0xE6E6E1, 0xC8C8C2, 0xB7C7D9),
    "purple": Palette(0x6C4A8C, 0xCDB6E4, 0x45305B), "teal": Palette(0x2F8282, 0xBFE6DC, 0x1D5454),
    "plum": Palette(0x7B3F61, 0xE7BFD3, 0x512740), "cream": Palette(0xE9DFC6, 0xC9B993, 0xB59E72),
    "moss": Palette(0x6B7445, 0xD9A441, 0x454B2C), "tiger": Palette(0xD9812B, 0x2E2620, 0x2E2620),
    "rainbow": Palette(0xD9534F, 0x4FA3D9, 0xE8C547),
  ]
}
