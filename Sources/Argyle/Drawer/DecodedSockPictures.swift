import HTTP
import Loading
import Pictures
import Socks
import TerminalUI

extension SockPictures {
  /// Pictures of files, of the web and of the program itself, decoded by a library.
  init(_ library: PictureLibrary) {
    self.init { picture, room in
      let request = PictureRequest(picture.source, room: room, enlarges: true)
      return library.loader(for: request).map { shown in
        // Without a decoder there are words in its place, of which a thumbnail has no room for one.
        shown.isText && room.height <= SockThumbnail.size.height
          ? CellBuffer(size: .zero) : shown.cells
      }
    }
  }
}

extension SockPicture {
  /// Where the bytes are.
  fileprivate var source: PictureSource {
    switch self {
    case .file(let path): .file(path)
    case .web(let address): .web(address)
    // One that is not there has no bytes, which no picture has.
    case .bundled(let name): .memory(text) { Assets.picture(name) ?? [] }
    }
  }
}
