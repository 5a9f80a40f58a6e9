import CChafa

/// Converts pixels to cells with chafa.
///
/// In truecolour, of which a screen with fewer colours shows the nearest, and with all block elements
/// except the shades: every terminal's font has them.
enum Canvas {
  static func cells(of pixels: Pixels, for request: Request) -> CellGrid {
    let fit = Fit(pixels.size, in: request)
    let (columns, rows) = (Int32(fit.columns), Int32(fit.rows))
    let configuration = chafa_canvas_config_new()
    let symbols = chafa_symbol_map_new()
    for tag in [CHAFA_SYMBOL_TAG_BLOCK, CHAFA_SYMBOL_TAG_SPACE, CHAFA_SYMBOL_TAG_SOLID] {
      chafa_symbol_map_add_by_tags(symbols, tag)
    }
    chafa_canvas_config_set_geometry(configuration, columns, rows)
    chafa_canvas_config_set_canvas_mode(configuration, CHAFA_CANVAS_MODE_TRUECOLOR)
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
            foreground: color(foreground), background: color(background)))
      }
    }
    return grid
  }

  /// Converts chafa's colour, which is negative where nothing is drawn.
  private static func color(_ raw: Int32) -> CellGrid.Color {
    raw < 0 ? .transparent : .rgb(UInt32(raw))
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

/// The size of a picture in cells, with its aspect ratio kept.
///
/// The Pictures module has the same rule, to reserve the space before the picture arrives.
struct Fit: Equatable {
  let columns: Int
  let rows: Int
  /// The size of a cell in pixels, for a picture at its original size.
  private static let cell = (width: 8, height: 16)

  /// - Parameters:
  ///   - size: each length is at least 1, and small enough for products of three.
  ///   - request: has the available space.
  init(_ size: Dimensions, in request: Request) {
    let (width, height) = (size.width, size.height)
    let cell = Self.cell
    var (columns, rows) = (Int(request.columns), Int(request.rows))
    if !request.enlarges {
      columns = min(columns, (width + cell.width - 1) / cell.width)
      rows = min(rows, (height + cell.height - 1) / cell.height)
    }
    // Compare both ratios without division: which edge is reached first?
    if width * rows * cell.height >= height * columns * cell.width {
      rows = Self.quotient(height * columns * cell.width, width * cell.height, upTo: rows)
    } else {
      columns = Self.quotient(width * rows * cell.height, height * cell.width, upTo: columns)
    }
    (self.columns, self.rows) = (columns, rows)
  }

  private static func quotient(_ dividend: Int, _ divisor: Int, upTo limit: Int) -> Int {
    min(max((dividend + divisor / 2) / divisor, 1), limit)
  }
}
