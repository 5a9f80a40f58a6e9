import Loading
import Socks
import TerminalUI

/// Where the drawer's screens get pictures: they are decoded, or cells already in demonstrations.
struct SockPictures: Sendable {
  /// A picture, as large as it gets within some room with its aspect kept.
  let load: @Sendable (SockPicture, _ room: Size) -> Loader<CellBuffer>
}

/// The picture of a sock in its own region, where it comes, or fails, by itself.
struct SockPictureView: View {
  let pictures: SockPictures
  let sock: Sock
  @Environment(\.isPlain) private var isPlain

  var body: some View {
    if let picture = sock.picture {
      if isPlain {
        Text("Picture: \(sock.pattern) \(sock.colour)").foregroundStyle(\.secondary)
      } else {
        GeometryReader { room in
          AsyncContentView(pictures.load(picture, room), id: Place(picture: picture, room: room)) {
            Image($0).frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .top)
          }
          .placeholder(CellBuffer(size: room))
        }
      }
    } else {
      Text("No picture").foregroundStyle(\.secondary)
        .frame(maxWidth: .infinity, maxHeight: isPlain ? nil : .infinity)
    }
  }

  private struct Place: Hashable {
    let picture: SockPicture
    let room: Size
  }
}

/// The same in a row, where there is room for a glance and not for words.
struct SockThumbnail: View {
  nonisolated static let size = Size(width: 4, height: 2)

  let pictures: SockPictures
  let picture: SockPicture?

  var body: some View {
    HStack(spacing: 0) {
      if let picture {
        AsyncContentView(pictures.load(picture, Self.size), id: picture) { Image($0) }
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
