import Articles
import HTTP
import Loading
import Pictures
import TerminalUI

/// The pictures of articles, each a loaded value of its own.
///
/// They outlive the screen that shows them: a picture that was scrolled out of view, or that
/// failed, is still in that state when it is scrolled back.
@MainActor
final class ArticlePictures {
  private let supply: PictureSupply
  private let pool: ResourcePool<PictureRequest, CellBuffer>

  /// About as many as two long articles have near the screen.
  private static let capacity = 48
  /// The rows that are reserved for a picture of unknown size.
  private static let rowsOfUnknown = 10

  init(_ supply: PictureSupply, clock: AnyClock, scheduler: LoadScheduler) {
    self.supply = supply
    pool = ResourcePool(
      capacity: Self.capacity, name: { _ in "picture" }, clock: clock, scheduler: scheduler
    ) {
      supply.load($0)
    }
  }

  /// Returns the request for a picture of a size up to `room`; nil if it has no address that may be
  /// loaded.
  ///
  /// - Parameter origin: who named the address.
  nonisolated static func request(
    _ picture: Articles.Picture, room: Size, origin: RequestOrigin = .publicContent
  ) -> PictureRequest? {
    guard let address = picture.address else { return nil }
    let source: PictureSource
    if Painting(at: address) != nil {
      source = .memory(address) { [] }
    } else if Browser.isWebAddress(address) {
      source = .web(address, origin: origin)
    } else if let path = FileAddress.path(address) {
      source = .file(path)
    } else {
      return nil
    }
    // The description is shown below the picture, or instead of it.
    return PictureRequest(source, room: room)
  }

  /// The resource of a picture.
  subscript(request: PictureRequest) -> Resource<CellBuffer> { pool[request] }

  /// Returns the size of a picture, or the size that is reserved for it.
  ///
  /// The size that the text declares is used until the picture itself is loaded. A failed picture
  /// takes one line for its error.
  func size(of picture: Articles.Picture, _ request: PictureRequest) -> Size {
    if let resource = pool.resource(ifPresent: request) {
      if let cells = resource.latestValue { return cells.size }
      if resource.failure != nil { return Size(width: request.room.width, height: 1) }
    }
    if let size = supply.size(request) { return size }
    if let size = picture.declaredSize {
      return request.size(of: PixelSize(width: size.width, height: size.height))
    }
    return Size(width: request.room.width, height: min(request.room.height, Self.rowsOfUnknown))
  }
}

/// A picture of an article in a region of its own, where it loads, or fails, independently of the
/// rest.
struct ArticlePictureView: View {
  let pictures: ArticlePictures
  let picture: Articles.Picture
  let origin: RequestOrigin
  /// The maximum height in rows.
  let height: Int

  var body: some View {
    GeometryReader { size in
      let room = Size(width: size.width, height: height)
      if let request = ArticlePictures.request(picture, room: room, origin: origin) {
        AsyncContentView(pictures[request]) { Image($0) }
          .placeholder(
            CellBuffer(
              size: Size(width: pictures.size(of: picture, request).width, height: size.height))
          )
          .failure { failure, retry in
            PictureFailure(failure: failure, canRetry: retry != nil)
          }
      }
    }
    .environment(\.loadingViewOptions.isPart, true)
  }
}

/// Whether a document's pictures from the web are loaded.
enum RemotePictures: Hashable {
  case shown
  /// A line in the place of each picture says which key loads it.
  case announced
  /// Their descriptions are shown instead.
  case words
}

/// How the pictures of a document are shown.
struct DocumentPictures {
  let pictures: ArticlePictures
  /// The maximum height of a picture, in rows.
  let height: Int
  /// Who named the addresses of the pictures.
  var origin = RequestOrigin.publicContent
  var remote = RemotePictures.shown

  /// Returns the view of a picture between paragraphs; nil if it cannot be or is not loaded.
  func view(of picture: Articles.Picture) -> RichText.EmbeddedView? {
    let least = Size(width: 1, height: 1)
    guard let request = ArticlePictures.request(picture, room: least) else { return nil }
    switch request.source.isRemote ? remote : .shown {
    case .shown: break
    case .announced: return RichText.EmbeddedView(rows: { _ in 1 }, content: { PictureNotice() })
    case .words: return nil
    }
    return RichText.EmbeddedView { [pictures, height, origin] width in
      ArticlePictures.request(picture, room: Size(width: width, height: height), origin: origin)
        .map { pictures.size(of: picture, $0).height } ?? 1
    } content: { [pictures, height, origin] in
      ArticlePictureView(pictures: pictures, picture: picture, origin: origin, height: height)
    }
  }
}

/// The placeholder of a picture that is loaded only by a key.
private struct PictureNotice: View {
  var body: some View {
    HStack(spacing: 1) {
      Text("Picture not loaded.").foregroundStyle(\.secondary)
      KeyHint(.loadPictures, "to load").layoutPriority(1)
    }
    .lineLimit(1)
  }
}
