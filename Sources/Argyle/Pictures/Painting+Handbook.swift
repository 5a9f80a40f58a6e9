/// The pictures that the articles of the handbook show.
extension Painting {
  static let all: [String: [Shape]] = [
    "two-panes": twoPanes, "letterbox-in-a-hedge": letterbox, "frosted-window": frostedWindow,
    "bakery-shelf": bakeryShelf, "type-case": typeCase, "socks-on-a-line": socksOnALine,
  ]

  private static let twoPanes: [Shape] = {
    var shapes: [Shape] = [
      .box(0, 0, 160, 100, 0x2B3340, to: 0x161B22), .box(10, 8, 140, 84, 0x0D1117),
      .box(10, 8, 140, 7, 0x30363D), .oval(13, 9.5, 4, 4, 0xE5534B), .oval(19, 9.5, 4, 4, 0xDAAA3F),
      .oval(25, 9.5, 4, 4, 0x57AB5A), .box(55, 19, 0.8, 64, 0x444C56),
      .box(59, 23, 87, 6, 0x1F6FEB),
    ]
    for (row, length) in [30.0, 22, 34, 26, 18].enumerated() {
      let y = 24 + Double(row) * 9
      shapes.append(.box(15, y, length, 3.6, row == 0 ? 0x79C0FF : 0x8B949E))
    }
    for (row, length) in [58.0, 44, 62, 36, 50, 40].enumerated() {
      let y = 24 + Double(row) * 9
      shapes.append(.box(62, y, length, 3.6, row == 0 ? 0xFFFFFF : 0xADBAC7))
      shapes.append(.box(132, y, 11, 3.6, row == 0 ? 0xCAE0FF : 0x636E7B))
    }
    for (place, length) in [14.0, 11, 9, 8].enumerated() {
      shapes.append(.box(15 + Double(place) * 19, 86, length, 3, 0x57AB5A))
    }
    return shapes
  }()

  private static let letterbox: [Shape] = {
    var shapes: [Shape] = [.box(0, 0, 160, 100, 0x2F5D34, to: 0x1D3F24)]
    let greens = [0x2C5A31, 0x3A6F3B, 0x4A8246, 0x25502C, 0x5B9150]
    // The leaves are scattered by a fixed rule, so that the hedge is always the same.
    for leaf in 0..<260 {
      let (x, y) = (Double(leaf * 73 % 163) - 4, Double(leaf * 41 % 107) - 4)
      shapes.append(.oval(x, y, 7, 4.5, greens[leaf * 7 % greens.count]))
    }
    shapes += [
      .box(57, 26, 50, 62, 0x23431F), .oval(60, 14, 44, 36, 0xC8322B),
      .box(60, 32, 44, 54, 0xB52A25, to: 0x8D1D1B),
      .box(60, 84, 44, 4, 0x5E1311), .box(64, 38, 36, 14, 0x9F2320),
      .box(67, 42, 30, 4.5, 0x1A0A09),
      .form([(78, 46), (112, 22), (118, 29), (86, 50)], 0xEDE7D5),
      .form([(82, 46.5), (113, 24), (114.5, 26), (84, 48)], 0xB9B3A2),
      .box(72, 60, 20, 14, 0xF3EEDD), .box(75, 63, 14, 1.6, 0x6E6A60),
      .box(75, 67, 10, 1.6, 0x6E6A60),
    ]
    for leaf in 0..<26 {
      let (x, y) = (Double(leaf * 37 % 62) + 48, Double(leaf * 11 % 12) + 8)
      shapes.append(.oval(x, y, 8, 5, greens[leaf * 3 % greens.count]))
    }
    return shapes
  }()

  private static let frostedWindow: [Shape] = {
    var shapes: [Shape] = [
      .box(0, 0, 160, 100, 0x8A6F66, to: 0x5E4C4A), .box(28, 6, 104, 84, 0xF1F4F7),
      .box(33, 11, 94, 74, 0xCFE3F2, to: 0xF3D9C0),
      // The kitchen behind the ice: outlines without details.
      .box(52, 58, 58, 5, 0x9FB3C4), .box(56, 63, 4, 22, 0x9FB3C4), .box(102, 63, 4, 22, 0x9FB3C4),
      .form([(74, 58), (76, 44), (86, 44), (88, 58)], 0x93A9BC), .oval(86, 46, 6, 8, 0x9DB2C4),
      .box(39, 44, 3, 41, 0xAABCCB), .box(39, 62, 12, 3, 0xAABCCB), .box(117, 44, 3, 41, 0xAABCCB),
      .box(110, 62, 10, 3, 0xAABCCB), .box(92, 40, 3, 18, 0xB3C4D1),
    ]
    for flake in 0..<90 {
      let (x, y) = (Double(flake * 61 % 91) + 33, Double(flake * 47 % 71) + 11)
      let size = 1.5 + Double(flake % 4)
      let isEdge = x < 48 || x > 110 || y < 24 || y > 70
      shapes.append(.oval(x, y, size * 1.4, size, isEdge ? 0xFFFFFF : 0xE4EFF7))
    }
    return shapes + [
      .box(78, 8, 4, 80, 0xF1F4F7), .box(30, 45, 100, 3.4, 0xF1F4F7),
      .box(22, 88, 116, 6, 0xE3E7EB),
      .box(22, 93, 116, 1.4, 0xA8ADB3),
    ]
  }()

  private static let bakeryShelf: [Shape] = {
    var shapes: [Shape] = [
      .box(0, 0, 160, 100, 0x3A2A20, to: 0x6B4426), .oval(96, 66, 90, 60, 0x9A5A26),
      .oval(112, 76, 60, 40, 0xD9822B), .oval(124, 84, 36, 24, 0xF6B24A),
      .box(12, 46, 136, 6, 0x8A6239), .box(12, 51, 136, 1.6, 0x54381F),
      .box(12, 86, 136, 6, 0x8A6239),
      .box(12, 91, 136, 1.6, 0x54381F), .box(12, 10, 4, 84, 0x6B4A2B),
      .box(144, 10, 4, 84, 0x6B4A2B),
    ]
    for loaf in 0..<5 {
      let x = 20 + Double(loaf) * 20
      shapes.append(.oval(x, 27, 19, 21, 0x8B4F22, to: 0x5D3013))
      for cut in 0..<3 {
        shapes.append(.box(x + 4 + Double(cut) * 4.4, 30, 1.8, 6, 0xC98B4A))
      }
    }
    shapes += [.box(122, 26, 20, 20, 0xF4EBD4)]
    for line in 0..<4 {
      shapes.append(.box(125, 29 + Double(line) * 4, 13 - Double(line % 2) * 4, 1.6, 0x5B5347))
    }
    for dust in 0..<40 {
      shapes.append(.oval(Double(dust * 53 % 122) + 18, 82.5 + Double(dust % 3), 4, 1.6, 0xE8D9BE))
    }
    return shapes
  }()

  private static let typeCase: [Shape] = {
    var shapes: [Shape] = [.box(0, 0, 160, 100, 0x5B3E25, to: 0x3F2A18)]
    for row in 0..<4 {
      for column in 0..<8 {
        let (x, y) = (6 + Double(column) * 18.6, 6 + Double(row) * 22.6)
        // The wide piece of type takes two compartments.
        let isWide = row == 1 && column == 3
        if row == 1, column == 4 { continue }
        shapes.append(.box(x, y, isWide ? 35.6 : 17, 21, 0x2A1B0F, to: 0x3A2716))
        guard !isWide, (row, column) != (2, 6) else { continue }
        let shade = 0x8E949B + (row * 5 + column * 3) % 4 * 0x0A0A0A
        shapes.append(.box(x + 4, y + 4, 9, 13, shade, to: 0x5F646A))
        shapes.append(.box(x + 6.4, y + 6.4 + Double((row + column) % 3), 4, 7, 0x3A3D41))
      }
    }
    let (x, y) = (6 + 3 * 18.6, 28.6)
    shapes += [
      .box(x + 4, y + 3, 28, 15, 0xB9BEC4, to: 0x80868D), .box(x + 9, y + 5, 18, 1.8, 0x8C2F2A),
      .box(x + 17, y + 4, 2, 12, 0x8C2F2A), .box(x + 11, y + 9, 14, 1.6, 0x8C2F2A),
      .form([(x + 17, y + 10), (x + 8, y + 17), (x + 10, y + 17), (x + 18, y + 11)], 0x8C2F2A),
      .form([(x + 18, y + 10), (x + 26, y + 17), (x + 28, y + 17), (x + 19, y + 11)], 0x8C2F2A),
      // An accent, alone in its corner.
      .form([(120, 67), (124, 63), (126, 64), (122, 68)], 0xC9CED4),
    ]
    return shapes
  }()

  private static let socksOnALine: [Shape] = {
    var shapes: [Shape] = [
      .box(0, 0, 160, 62, 0x9CC4E4, to: 0xDCEBF3), .box(0, 60, 160, 40, 0x7A5A3C, to: 0x4E3723),
    ]
    for furrow in 0..<9 {
      let y = 63 + Double(furrow * furrow) * 0.5
      shapes.append(.box(0, y, 160, 0.8 + Double(furrow) * 0.15, 0x5F452C))
    }
    shapes += [
      .box(4, 10, 3, 80, 0x4A3B2C), .box(153, 10, 3, 80, 0x4A3B2C), .box(4, 15, 152, 0.9, 0x33302C),
      .oval(128, 90, 24, 7, 0x6C93B4), .oval(132, 91.5, 14, 3, 0x9DBBD3),
    ]
    let colors = [0x3E7A52, 0xB3383F, 0xE2B93B, 0x3F77B5, 0x7B3F61, 0x7F8791, 0x2C3F6B]
    for (sock, color) in colors.enumerated() {
      let x = 13 + Double(sock) * 20.4
      // The wetter a sock, the longer; the first one flutters.
      let (length, swing) = (22 + Double(sock * sock) * 0.95, sock == 0 ? 5.0 : 0)
      let end = 16 + length
      shapes += [
        .form([(x, 16), (x + 9, 16), (x + 9 + swing, end), (x + swing, end)], color),
        .oval(x + swing - 0.5, end - 5, 17, 9, color), .box(x, 16, 9, 3, 0xF1E7D3),
        .box(x + 3.6, 13, 1.8, 4.4, 0xC9A36A),
      ]
      if sock == 0 {
        for diamond in 0..<3 {
          let (middle, y) = (x + 4.6 + Double(diamond) * 1.6, 24 + Double(diamond) * 5.5)
          shapes.append(
            .form(
              [(middle, y - 2.6), (middle + 3, y), (middle, y + 2.6), (middle - 3, y)], 0xB9BFC6))
        }
      }
    }
    for drop in 0..<3 { shapes.append(.oval(141, 84 + Double(drop) * 3, 1.6, 2.4, 0x6C93B4)) }
    return shapes
  }()
}
