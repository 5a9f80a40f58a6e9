import Loading
import Pictures
import TerminalUI

/// Where the program's screens get pictures: they are decoded, or painted where they are the
/// program's own, or cells already in demonstrations.
struct PictureSupply: Sendable {
  /// The cells of a picture.
  let load: @Sendable (PictureRequest) -> Loader<CellBuffer>
  /// How large a picture will be, where that is known before it is there.
  let size: @Sendable (PictureRequest) -> Size?

  /// Below this many rows there is no room for words in a picture's place.
  private static let rowsForWords = 3

  init(
    load: @escaping @Sendable (PictureRequest) -> Loader<CellBuffer>,
    size: @escaping @Sendable (PictureRequest) -> Size? = { _ in nil }
  ) {
    (self.load, self.size) = (load, size)
  }

  /// Pictures of files, of the web and of the program itself, decoded by a library.
  init(_ library: PictureLibrary) {
    self.init { request in
      if let painting = Painting(at: request.source.address) {
        return .constant(painting.cells(in: request.room))
      }
      return library.loader(for: request).map { shown in
        // Without a decoder there are words in its place.
        shown.isText && request.room.height < Self.rowsForWords
          ? CellBuffer(size: .zero) : shown.cells
      }
    } size: { request in
      Painting(at: request.source.address)?.size(in: request.room)
        ?? library.sizeIfKnown(of: request)
    }
  }
}
