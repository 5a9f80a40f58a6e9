import Loading
import Pictures
import TerminalUI

/// The source of pictures for the program's screens: decoded, or painted if they are the program's
/// own, or prepared cells in demonstrations.
struct PictureSupply: Sendable {
  /// Loads the cells of a picture.
  let load: @Sendable (PictureRequest) -> Loader<CellBuffer>
  /// Returns the size that a picture will have, if that is known before it is loaded.
  let size: @Sendable (PictureRequest) -> Size?
  /// Returns why a file cannot be a picture; nil if it can.
  let check: @Sendable (String) async -> PictureError?

  /// In less room than this, a text instead of the picture would be cut, or hide what is around it.
  private static let roomForWords = Size(width: 16, height: 3)

  init(
    load: @escaping @Sendable (PictureRequest) -> Loader<CellBuffer>,
    size: @escaping @Sendable (PictureRequest) -> Size? = { _ in nil },
    check: @escaping @Sendable (String) async -> PictureError? = { _ in nil }
  ) {
    (self.load, self.size, self.check) = (load, size, check)
  }

  /// Supplies pictures from files, from the web and from the program itself, decoded by a library.
  init(_ library: PictureLibrary) {
    self.init { request in
      if let painting = Painting(at: request.source.address) {
        return .constant(painting.cells(in: request.room))
      }
      return library.loader(for: request).map { shown in
        // Without a decoder, the library returns a text instead of the picture.
        let (room, least) = (request.room, Self.roomForWords)
        return shown.isText && (room.width < least.width || room.height < least.height)
          ? CellBuffer(size: .zero) : shown.cells
      }
    } size: { request in
      Painting(at: request.source.address)?.size(in: request.room)
        ?? library.sizeIfKnown(of: request)
    } check: {
      await Self.failure(ofFile: $0)
    }
  }

  // Off the main actor, since the file may be on a slow network disk.
  @concurrent
  private static func failure(ofFile path: String) async -> PictureError? {
    do throws(PictureError) {
      try PictureFile.check(path)
      return nil
    } catch {
      return error
    }
  }
}
