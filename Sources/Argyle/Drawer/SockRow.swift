import Foundation
import Socks
import TerminalUI

/// A sock in the list: one line, or several with a picture if there is room.
struct SockRow: View {
  /// How much of a sock a row shows.
  enum Layout {
    case narrow, medium, colourful, wide

    init(_ size: Size) {
      self =
        switch size.width {
        case ..<56: .narrow
        case ..<62: .medium
        default: size.width < 90 || size.height < 20 ? .colourful : .wide
        }
    }

    /// The height of a row; with pictures, it includes a gap between two of them.
    var height: Int { self == .wide ? SockThumbnail.size.height + 1 : 1 }
  }

  let row: DrawerRow
  let layout: Layout
  /// Whether the sock is the first one of a pair being made, or marked.
  let isMarked: Bool
  let model: DrawerModel
  @Environment(\.showsPictures) private var showsPictures
  @Environment(\.isPlain) private var isPlain

  private var sock: Sock { row.sock }

  var body: some View {
    HStack {
      switch layout {
      case .narrow:
        name
        SogginessNumber(sogginess: sock.sogginess)
        if isPlain, !row.isSettled {
          // The words take the columns of the pair's mark.
          status(isBrief: true).frame(width: 8, alignment: .leading)
        } else {
          PairMark(isPaired: sock.pair != nil)
          status(isBrief: true).frame(width: isPlain ? 1 : 3, alignment: .leading)
        }
      case .medium, .colourful: line
      case .wide:
        if showsPictures {
          SockThumbnail(thumbnails: model.thumbnails, picture: sock.picture).padding(.trailing)
        }
        VStack(alignment: .leading) {
          line
          details.lineLimit(2)
        }
      }
    }
  }

  private var line: some View {
    HStack {
      name
      if layout == .colourful, showsPictures { SockSwatch(colour: sock.colour) }
      SogginessBar(sogginess: sock.sogginess)
      PairMark(isPaired: sock.pair != nil)
      // As wide as the longest status, so that nothing moves.
      status(isBrief: false).frame(width: 14, alignment: .leading)
    }
  }

  // Most rows have no status, and many keys make rows again, so this case is kept cheap.
  @ViewBuilder
  private func status(isBrief: Bool) -> some View {
    if row.isSettled {
      Text("")
    } else {
      SockStatus(state: row.state, isBrief: isBrief, clock: model.clock)
    }
  }

  private var name: some View {
    let name =
      switch row.state {
      case .removable, .removing: Text(sock.name).strikethrough(!isPlain).dim()
      default: Text(sock.name)
      }
    return (isMarked ? Text(isPlain ? "marked: " : "◆ ").foregroundStyle(\.accent) + name : name)
      .lineLimit(1).frame(maxWidth: .infinity, alignment: .leading)
  }

  @ViewBuilder
  private var details: some View {
    if case .failed(let error) = row.state {
      FailureReason(error: error)
    } else {
      let notes = sock.notes.split(separator: "\n").first.map(String.init) ?? ""
      Text([sock.colour, sock.pattern, notes].filter { !$0.isEmpty }.joined(separator: " · "))
        .foregroundStyle(\.secondary)
    }
  }
}

extension SockRow: @MainActor Equatable {
  static func == (one: SockRow, other: SockRow) -> Bool {
    // The status of a sock with a pending or failed change depends on the time, so its row is
    // always drawn again.
    guard case .settled = one.row.state, case .settled = other.row.state else { return false }
    return one.sock == other.sock && one.layout == other.layout && one.isMarked == other.isMarked
      && one.model === other.model
  }
}

/// Why a change failed.
private struct FailureReason: View {
  let error: any Error
  @Environment(\.describeError) private var describe

  var body: some View { Text(describe(error).whole).foregroundStyle(\.failure) }
}

/// The mark that says whether a sock is paired.
struct PairMark: View {
  let isPaired: Bool
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    if isPlain {
      Text(isPaired ? "paired" : "single").frame(width: 6, alignment: .leading)
    } else {
      Text(isPaired ? "⇄" : " ").foregroundStyle(\.secondary)
    }
  }
}

extension DrawerRow {
  /// The row that placeholders are drawn with: only the lengths of its words are visible.
  static let sample = DrawerRow(sock: .sample, state: .settled)
}

extension Sock {
  static let sample = Sock(
    id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), name: "Somebody's left one",
    sogginess: 50, pattern: "striped", colour: "grey", notes: "Darned twice and kept.",
    created: Date(timeIntervalSince1970: 0), changed: Date(timeIntervalSince1970: 0))
}
