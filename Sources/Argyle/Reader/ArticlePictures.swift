import Articles
import HTTP
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
    pool = ResourcePool(
      capacity: Self.capacity, name: { _ in "picture" }, clock: clock, scheduler: scheduler
    ) {
      supply.load($0)
    }
  }

  /// A picture in some room; nil when it has no address that may be loaded.
  ///
  /// - Parameter origin: who named its address.
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
    // Its words stand below it, also where there are only words to show.
    return PictureRequest(source, room: room)
  }

  /// Its resource.
  subscript(request: PictureRequest) -> Resource<CellBuffer> { pool[request] }

  /// The room that it takes, or that is kept for it.
  ///
  /// What a text says counts until the picture itself is known. One that failed has a line to say so.
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

/// A picture of an article in its own region, where it comes, or fails, by itself.
struct ArticlePictureView: View {
  let pictures: ArticlePictures
  let picture: Articles.Picture
  let origin: RequestOrigin
  /// The most rows that it may have.
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

/// Whether the pictures of a document that are on the web are loaded.
enum RemotePictures: Hashable {
  case shown
  /// A line in the place of each says which key loads them.
  case announced
  /// Their descriptions are shown instead.
  case words
}

/// How the pictures of a document are shown.
struct DocumentPictures {
  let pictures: ArticlePictures
  /// The most rows that one may have.
  let height: Int
  /// Who named their addresses.
  var origin = RequestOrigin.publicContent
  var remote = RemotePictures.shown

  /// A picture among paragraphs; nil when there is none to be loaded.
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

/// The placeholder of a picture that is loaded only when asked.
private struct PictureNotice: View {
  var body: some View {
    HStack(spacing: 1) {
      Text("Picture not loaded.").foregroundStyle(\.secondary)
      KeyHint(.loadPictures, "to load").layoutPriority(1)
    }
    .lineLimit(1)
  }
}
