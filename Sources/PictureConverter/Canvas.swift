import CChafa

/// Converts pixels to cells with chafa.
enum Canvas {
  static func cells(of pixels: Pixels, for request: Request) -> CellGrid {
    let fit = Fit(pixels.size, in: request)
    let (columns, rows) = (Int32(fit.columns), Int32(fit.rows))
    let configuration = chafa_canvas_config_new()
    let symbols = chafa_symbol_map_new()
    cchafa_add_symbols(symbols, request.symbols.tags)
    chafa_canvas_config_set_geometry(configuration, columns, rows)
    chafa_canvas_config_set_canvas_mode(configuration, request.colors.mode)
    chafa_canvas_config_set_symbol_map(configuration, symbols)
    let canvas = chafa_canvas_new(configuration)
    defer {
      chafa_canvas_unref(canvas)
      chafa_symbol_map_unref(symbols)
      chafa_canvas_config_unref(configuration)
    }
    guard let canvas else { return CellGrid(columns: 0, rows: 0) }
    pixels.draw(on: canvas)

    var grid = CellGrid(columns: fit.columns, rows: fit.rows)
    grid.cells.reserveCapacity(fit.columns * fit.rows)
    for row in 0..<rows {
      for column in 0..<columns {
        var (foreground, background): (Int32, Int32) = (-1, -1)
        chafa_canvas_get_raw_colors_at(canvas, column, row, &foreground, &background)
        grid.cells.append(
          CellGrid.Cell(
            scalar: chafa_canvas_get_char_at(canvas, column, row),
            foreground: request.colors.color(foreground),
            background: request.colors.color(background)))
      }
    }
    return grid
  }

  /// Computes the tables that every canvas needs before the first picture arrives.
  static func warmUp() {
    // The sandbox does not allow threads.
    chafa_set_n_threads(1)
    let configuration = chafa_canvas_config_new()
    chafa_canvas_unref(chafa_canvas_new(configuration))
    chafa_canvas_config_unref(configuration)
  }
}

extension Request.Colors {
  fileprivate var mode: ChafaCanvasMode {
    switch self {
    case .monochrome: CHAFA_CANVAS_MODE_FGBG
    case .eight: CHAFA_CANVAS_MODE_INDEXED_8
    case .sixteen: CHAFA_CANVAS_MODE_INDEXED_16
    // Without the first 16 colours, which depend on the user's theme.
    case .palette: CHAFA_CANVAS_MODE_INDEXED_240
    case .direct: CHAFA_CANVAS_MODE_TRUECOLOR
    }
  }

  /// Converts chafa's colour, which is negative where nothing is drawn.
  fileprivate func color(_ raw: Int32) -> CellGrid.Color {
    guard raw >= 0 else { return .transparent }
    return switch self {
    case .monochrome: .transparent
    case .eight, .sixteen, .palette: .palette(UInt8(truncatingIfNeeded: raw))
    case .direct: .rgb(UInt32(raw))
    }
  }
}

extension Request.Symbols {
  fileprivate var tags: Int32 {
    let tags: [ChafaSymbolTags] =
      switch self {
      case .halves: [CHAFA_SYMBOL_TAG_HALF]
      case .quadrants: [CHAFA_SYMBOL_TAG_HALF, CHAFA_SYMBOL_TAG_QUAD]
      case .blocks: [CHAFA_SYMBOL_TAG_BLOCK]
      case .sextants: [CHAFA_SYMBOL_TAG_BLOCK, CHAFA_SYMBOL_TAG_SEXTANT]
      }
    let all = tags + [CHAFA_SYMBOL_TAG_SPACE, CHAFA_SYMBOL_TAG_SOLID]
    return all.reduce(0) { $0 | $1.rawValue }
  }
}

/// The size of a picture in cells, with its aspect ratio kept.
///
/// The Pictures module has the same rule, to reserve the space before the picture arrives.
struct Fit: Equatable {
  let columns: Int
  let rows: Int

  /// - Parameters:
  ///   - size: each length is at least 1, and small enough for products of three.
  ///   - request: has the available space.
  init(_ size: Dimensions, in request: Request) {
    let (width, height) = (size.width, size.height)
    let (cellWidth, cellHeight) = (Int(request.cellWidth), Int(request.cellHeight))
    var (columns, rows) = (Int(request.columns), Int(request.rows))
    if !request.enlarges {
      columns = min(columns, (width + cellWidth - 1) / cellWidth)
      rows = min(rows, (height + cellHeight - 1) / cellHeight)
    }
    // Compare both ratios without division: which edge is reached first?
    if width * rows * cellHeight >= height * columns * cellWidth {
      rows = Self.quotient(height * columns * cellWidth, width * cellHeight, upTo: rows)
    } else {
      columns = Self.quotient(width * rows * cellHeight, height * cellWidth, upTo: columns)
    }
    (self.columns, self.rows) = (columns, rows)
  }

  private static func quotient(_ dividend: Int, _ divisor: Int, upTo limit: Int) -> Int {
    min(max((dividend + divisor / 2) / divisor, 1), limit)
  }
}
