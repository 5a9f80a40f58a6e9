import Loading
import Pictures
import Socks
import TerminalUI

extension PictureSupply {
  /// Loads a picture of a sock, enlarged to fill `room` with its aspect ratio kept.
  func load(_ picture: SockPicture, _ room: Size, label: String = "") -> Loader<CellBuffer> {
    load(PictureRequest(picture.source, room: room, label: label, enlarges: true))
  }
}

extension SockPicture {
  /// Where the picture is loaded from.
  fileprivate var source: PictureSource {
    switch self {
    case .file(let path): .file(path)
    case .web(let address): .web(address)
    // A missing picture gives no bytes, which fails as an invalid picture.
    case .bundled(let name): .memory(name) { Assets.picture(name) ?? [] }
    }
  }
}

/// The picture of a sock in a region of its own, where it loads, or fails, independently of the
/// rest.
struct SockPictureView: View {
  let pictures: PictureSupply
  let sock: Sock
  @Environment(\.showsPictures) private var showsPictures

  var body: some View {
    if let picture = sock.picture {
      if !showsPictures {
        Text("Picture: \(label)").foregroundStyle(\.secondary)
      } else {
        GeometryReader { room in
          AsyncContentView(
            loader: pictures.load(picture, room, label: label),
            id: Place(picture: picture, room: room), name: "picture of a sock"
          ) {
            Image($0).frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .top)
          }
          .placeholder(CellBuffer(size: room))
        }
        // Esc goes back even while the picture loads, instead of cancelling the load.
        .environment(\.loadingViewOptions.isPart, true)
      }
    } else {
      Text("No picture").foregroundStyle(\.secondary)
        .frame(maxWidth: .infinity, maxHeight: showsPictures ? .infinity : nil)
    }
  }

  private var label: String { "\(sock.pattern) \(sock.colour)" }

  private struct Place: Hashable {
    let picture: SockPicture
    let room: Size
  }
}

/// The picture of a sock in a row, which has room for a small picture but not for words.
struct SockThumbnail: View {
  nonisolated static let size = Size(width: 6, height: 3)

  /// The pictures of all rows, so that a row that scrolls back has its picture at once.
  let thumbnails: ResourcePool<SockPicture, CellBuffer>
  let picture: SockPicture?

  var body: some View {
    HStack(spacing: 0) {
      if let picture {
        AsyncContentView(thumbnails[picture]) { Image($0) }
          .placeholder(CellBuffer(size: Self.size))
          .failure { _, _ in Text("✗").foregroundStyle(\.failure) }
      }
    }
    // The row's own keys act on it, so Tab does not stop at the picture.
    .disabled(true)
    .frame(width: Self.size.width, height: Self.size.height)
    .environment(\.loadingViewOptions.isPart, true)
  }
}
