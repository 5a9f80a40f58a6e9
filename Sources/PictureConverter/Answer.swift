/// The answer to a request; see ``Request`` for the format of messages.
enum Answer: Equatable {
  case cells(CellGrid)
  case failure(Failure)

  /// Returns the message, preceded by its length.
  func message(id: UInt32) -> [UInt8] {
    var message: [UInt8] = [Request.version]
    message.append(number: id)
    switch self {
    case .cells(let grid):
      message.append(0)
      message.append(number: UInt16(grid.columns))
      message.append(number: UInt16(grid.rows))
      for cell in grid.cells {
        message.append(number: cell.scalar)
        message.append(number: cell.foreground.number)
        message.append(number: cell.background.number)
      }
    case .failure(let failure):
      message.append(failure.kind)
      if case .tooLarge(let width, let height) = failure {
        message.append(number: width)
        message.append(number: height)
      }
    }
    var length: [UInt8] = []
    length.append(number: UInt32(message.count))
    return length + message
  }
}

/// Why a picture was not converted.
enum Failure: Error, Equatable {
  /// Its type is not one of those that are decoded.
  case unknownType
  /// Its declared size exceeds the limits of the request.
  case tooLarge(width: UInt32, height: UInt32)
  /// It is truncated.
  case truncated
  /// The decoder found an error in it.
  case broken
  /// There is not enough memory for it.
  case outOfMemory
  /// This system has no decoder for its type.
  case noDecoder
  /// This process could not enter its sandbox, and so decodes nothing.
  case noSandbox

  fileprivate var kind: UInt8 {
    switch self {
    case .unknownType: 1
    case .tooLarge: 2
    case .truncated: 3
    case .broken: 4
    case .outOfMemory: 5
    case .noDecoder: 6
    case .noSandbox: 7
    }
  }
}

/// A picture as cells, row by row.
struct CellGrid: Equatable {
  var columns: Int
  var rows: Int
  var cells: [Cell] = []

  struct Cell: Equatable {
    var scalar: UInt32
    var foreground: Color
    var background: Color
  }

  enum Color: Equatable {
    /// The background behind the picture.
    case transparent
    /// 0xRRGGBB.
    case rgb(UInt32)

    fileprivate var number: UInt32 {
      switch self {
      case .transparent: 0
      case .rgb(let rgb): 1 << 24 | rgb & 0xFF_FFFF
      }
    }
  }
}
