import Loading
import Pictures
import Socks
import TerminalUI

extension PictureSupply {
  /// A picture of a sock, as large as it gets within some room with its aspect kept.
  func load(_ picture: SockPicture, _ room: Size) -> Loader<CellBuffer> {
    load(PictureRequest(picture.source, room: room, enlarges: true))
  }
}

extension SockPicture {
  /// Where the bytes are.
  fileprivate var source: PictureSource {
    switch self {
    case .file(let path): .file(path)
    case .web(let address): .web(address)
    // One that is not there has no bytes, which no picture has.
    case .bundled(let name): .memory(name) { Assets.picture(name) ?? [] }
    }
  }
}

/// The picture of a sock in its own region, where it comes, or fails, by itself.
struct SockPictureView: View {
  let pictures: PictureSupply
  let sock: Sock
  @Environment(\.showsPictures) private var showsPictures

  var body: some View {
    if let picture = sock.picture {
      if !showsPictures {
        Text("Picture: \(sock.pattern) \(sock.colour)").foregroundStyle(\.secondary)
      } else {
        GeometryReader { room in
          AsyncContentView(
            loader: pictures.load(picture, room), id: Place(picture: picture, room: room)
          ) {
            Image($0).frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .top)
          }
          .placeholder(CellBuffer(size: room))
        }
        // Nobody looks at a sock to wait for its picture: Esc leads back while it loads, too.
        .environment(\.loadingViewOptions.isPart, true)
      }
    } else {
      Text("No picture").foregroundStyle(\.secondary)
        .frame(maxWidth: .infinity, maxHeight: showsPictures ? .infinity : nil)
    }
  }

  private struct Place: Hashable {
    let picture: SockPicture
    let room: Size
  }
}

/// The picture of a sock in a row, which has room for a small picture and not for words.
struct SockThumbnail: View {
  nonisolated static let size = Size(width: 6, height: 3)

  /// Those of all rows: one that comes back on the screen has its picture at once.
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
    // The row's own keys work: a picture is no stop for Tab.
    .disabled(true)
    .frame(width: Self.size.width, height: Self.size.height)
    .environment(\.loadingViewOptions.isPart, true)
  }
}
