import Articles
import Loading
import Pictures
import TerminalUI

/// The pictures of articles, each a loaded value of its own.
///
/// They outlive the screen that shows them: one that was scrolled past, or that failed, is still that
/// on the way back.
@MainActor
final class ArticlePictures {
  private let supply: PictureSupply
  private let pool: ResourcePool<PictureRequest, CellBuffer>

  /// About as many as two long articles have within reach.
  private static let capacity = 48
  /// The rows that are kept for a picture of which nothing is known.
  private static let rowsOfUnknown = 10

  init(_ supply: PictureSupply, clock: AnyClock, scheduler: LoadScheduler) {
    self.supply = supply
    pool = ResourcePool(capacity: Self.capacity, clock: clock, scheduler: scheduler) {
      supply.load($0)
    }
  }

  /// A picture in some room; nil when it has no address that may be loaded.
  nonisolated static func request(_ picture: Articles.Picture, room: Size) -> PictureRequest? {
    guard let address = picture.address else { return nil }
    let source: PictureSource
    if Painting(at: address) != nil {
      source = .memory(address) { [] }
    } else if Browser.isWebAddress(address) {
      source = .web(address)
    } else if let path = FileAddress.path(address) {
      source = .file(path)
    } else {
      return nil
    }
    return PictureRequest(source, room: room, label: picture.alt)
  }

  /// What is loaded of it.
  subscript(request: PictureRequest) -> Resource<CellBuffer> { pool[request] }

  /// How much room it takes, or is to be kept for it.
  ///
  /// What a text says counts until the picture itself is known.
  func size(of picture: Articles.Picture, _ request: PictureRequest) -> Size {
    if let cells = pool.resource(ifPresent: request)?.latestValue { return cells.size }
    if let size = supply.size(request) { return size }
    if let size = picture.declaredSize {
      return request.size(of: PixelSize(width: size.width, height: size.height))
    }
    return Size(width: request.room.width, height: min(request.room.height, Self.rowsOfUnknown))
  }
}

/// A picture of an article in its own region, where it comes, or fails, by itself.
struct ArticlePictureView: View {
  let pictures: ArticlePictures
  let picture: Articles.Picture
  /// The most rows that it may have.
  let height: Int

  var body: some View {
    GeometryReader { size in
      let room = Size(width: size.width, height: height)
      if let request = ArticlePictures.request(picture, room: room) {
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

/// How the pictures of a document are shown.
struct DocumentPictures {
  let pictures: ArticlePictures
  /// The most rows that one may have.
  let height: Int

  /// A picture among paragraphs; nil when there is none to be loaded.
  func view(of picture: Articles.Picture) -> RichText.EmbeddedView? {
    guard ArticlePictures.request(picture, room: Size(width: 1, height: 1)) != nil else {
      return nil
    }
    return RichText.EmbeddedView { [pictures, height] width in
      ArticlePictures.request(picture, room: Size(width: width, height: height))
        .map { pictures.size(of: picture, $0).height } ?? 1
    } content: { [pictures, height] in
      ArticlePictureView(pictures: pictures, picture: picture, height: height)
    }
  }
}
