/// Box-drawing characters as the strokes that they consist of.
///
/// Drawn with a font, they would not connect between rows.
enum BoxDrawing {
  /// The lines from the middle of the cell to each side: 0 for none, 1 for light, 2 for heavy.
  struct Strokes: Equatable {
    var up = 0
    var right = 0
    var down = 0
    var left = 0
    /// Whether the two lines of a corner are joined by an arc.
    var isRounded = false
  }

  /// Returns the strokes of a scalar in U+2500–257F.
  ///
  /// Returns nil for dashed, doubled and slanted lines, which a font draws well enough, and for any
  /// other scalar.
  static func strokes(of scalar: UInt32) -> Strokes? {
    guard let code = codes[scalar] else { return nil }
    return Strokes(
      up: code / 1000, right: code / 100 % 10, down: code / 10 % 10, left: code % 10,
      isRounded: 0x256D...0x2570 ~= scalar)
  }

  // Four digits each: up, right, down, left.
  private static let codes: [UInt32: Int] = [
    0x2500: 0101, 0x2501: 0202, 0x2502: 1010, 0x2503: 2020, 0x250C: 0110, 0x250F: 0220,
    0x2510: 0011, 0x2513: 0022, 0x2514: 1100, 0x2517: 2200, 0x2518: 1001, 0x251B: 2002,
    0x251C: 1110, 0x251D: 1210, 0x2520: 2120, 0x2523: 2220, 0x2524: 1011, 0x2525: 1012,
    0x2528: 2021, 0x252B: 2022, 0x252C: 0111, 0x252F: 0212, 0x2530: 0121, 0x2533: 0222,
    0x2534: 1101, 0x2537: 1202, 0x2538: 2101, 0x253B: 2202, 0x253C: 1111, 0x253F: 1212,
    0x2542: 2121, 0x254B: 2222, 0x256D: 0110, 0x256E: 0011, 0x256F: 1001, 0x2570: 1100,
    0x2574: 0001, 0x2575: 1000, 0x2576: 0100, 0x2577: 0010, 0x2578: 0002, 0x2579: 2000,
    0x257A: 0200, 0x257B: 0020,
  ]
}

extension BoxDrawing.Strokes {
  /// Returns SVG path data, by stroke width, in a rectangle whose lines cross at (`x`, `y`).
  func paths(
    in box: (left: Double, right: Double, top: Double, bottom: Double), crossingAt x: Double,
    _ y: Double
  ) -> [(width: Int, data: String)] {
    if isRounded {
      let end = right > 0 ? box.right : box.left
      let start = down > 0 ? box.bottom : box.top
      let bend = down > 0 ? y + abs(end - x) : y - abs(end - x)
      return [
        (
          1,
          "M\(x.short) \(start.short)V\(bend.short)Q\(x.short) \(y.short) \(end.short) \(y.short)"
        )
      ]
    }
    // Odd widths, so that lines in the middle of a pixel have sharp edges.
    return [(1, 1), (2, 3)].compactMap { weight, width in
      var data = ""
      if left == weight || right == weight {
        data += "M\((left == weight ? box.left : x).short) \(y.short)"
        data += "H\((right == weight ? box.right : x).short)"
      }
      if up == weight || down == weight {
        data += "M\(x.short) \((up == weight ? box.top : y).short)"
        data += "V\((down == weight ? box.bottom : y).short)"
      }
      return data.isEmpty ? nil : (width, data)
    }
  }
}
