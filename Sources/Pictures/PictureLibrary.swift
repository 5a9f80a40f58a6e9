import Dispatch
public import Foundation
public import HTTP
public import Loading
public import Terminal

/// Loads pictures as cells.
///
/// Use one for a whole program: it reuses the decoding process, and caches what it has loaded. A
/// screen shows a picture like any other loaded value:
///
/// ```swift
/// let request = PictureRequest(.file(path), room: Size(width: 40, height: 20), label: "A sock")
/// AsyncContentView(loader: pictures.loader(for: request), id: request) { picture in
///   Image(picture.cells, label: picture.label)
/// }
/// ```
///
/// Pictures are decoded in a separate process, `argyle-pictures`, which a hostile picture may crash
/// or hang: then only the load of that picture fails, and the next one gets a new process. If the
/// program is missing, a description takes the picture's place.
public final class PictureLibrary: Sendable {
  private let converterPath: String
  private let client: HTTPClient
  private let requestLimits: @Sendable () -> HTTPRequest.Limits
  private let limits: PictureLimits
  let converter: Converter
  /// Blocking calls that read and write files.
  let disk = DispatchQueue(label: "pictures, disk", qos: .utility)
  // A permit is held until the picture has been converted, which limits how many files are in
  // memory at once. Separate permits keep slow servers from delaying local pictures.
  private let webPermits = LoadLimit(8)
  private let localPermits = LoadLimit(2)
  private let pictures: LoadCache<PictureRequest, Picture>
  private let downloads: BoundedCache<String, Download>
  /// Pictures from the web that are cached on the disk.
  private let stored: StoredPictures?
  private let network: LoadGate?
  private let retryDate: @Sendable (HTTPHeaders) -> Date?
  private let sizes = BoundedCache<PictureSource, PixelSize>(capacity: 10_000) { _ in 1 }

  private struct Download {
    let bytes: [UInt8]
    let date: AnyClock.Instant
    /// Whether a picture could be made of it.
    var isShown = false
  }

  /// How old a picture from the web may be before its server is asked again: some addresses show
  /// another picture every day.
  private static let freshTime = Duration.seconds(24 * 3600)

  /// Creates a library; no process is started yet.
  ///
  /// - Parameters:
  ///   - client: fetches pictures from the web.
  ///   - requestLimits: returns the time limits of each fetch; `limits` has those of its size and
  ///     redirects.
  ///   - converterPath: the path of the program `argyle-pictures`.
  ///   - limits: the limits of a picture.
  ///   - folder: where pictures from the web are cached; nil for no disk cache.
  ///   - network: closed while the web cannot be reached: uncached pictures wait for it.
  ///   - retryDate: reads from the headers of a refusal when its server allows another request.
  public init(
    client: HTTPClient,
    requestLimits: @escaping @Sendable () -> HTTPRequest.Limits = { HTTPRequest.Limits() },
    converterPath: String = ConverterLocation.beside(), limits: PictureLimits = PictureLimits(),
    folder: String? = nil, network: LoadGate? = nil,
    retryDate: @escaping @Sendable (HTTPHeaders) -> Date? = { _ in nil }
  ) {
    self.client = client
    self.network = network
    self.retryDate = retryDate
    self.requestLimits = requestLimits
    self.converterPath = converterPath
    self.limits = limits
    converter = Converter(path: converterPath)
    // A picture at an address rarely changes, and an hour is long for a screen.
    pictures = LoadCache(
      staleAfter: .seconds(3600), lifetime: .seconds(24 * 3600), capacity: limits.cacheBytes
    ) { $0.cells.size.width * $0.cells.size.height * MemoryLayout<Cell>.stride }
    downloads = BoundedCache(capacity: limits.cacheBytes, size: \.bytes.count)
    stored = folder.map { StoredPictures(folder: $0, capacity: limits.storedBytes) }
  }

  /// Whether the decoding program exists; without it, every picture is shown as text.
  public var canDecode: Bool { ConverterLocation.isProgram(converterPath) }

  /// Returns a loader for one picture.
  ///
  /// It reports progress while it fetches, and fails with `PictureError`. `PictureLimits.time` is
  /// measured with the clock of the load. A picture that was fetched within a day is used again,
  /// unless the user reloads; an older one is shown while it is fetched, and if that fails.
  public func loader(for request: PictureRequest) -> Loader<Picture> {
    let loader =
      if case .web(let origin) = request.source.origin {
        webLoader(for: request, origin: origin)
      } else {
        localLoader(for: request)
      }
    return Loader(of: loader) { [self] context, output in
      guard canDecode else { return .text(request.label, width: request.room.width) }
      return try await loader.run(context, output)
    }.cached(in: pictures, key: request)
  }

  /// Returns the size that a picture will have, if that is known, so that its space can be reserved
  /// and nothing moves when it arrives.
  ///
  /// The size is known if the picture was loaded before at any size.
  public func sizeIfKnown(of request: PictureRequest) -> Size? {
    sizes[request.source].map { PictureFit.size(of: $0, in: request) }
  }

  private func localLoader(for request: PictureRequest) -> Loader<Picture> {
    Loader { [self] context in
      let bytes = try await read { [limits] in
        switch request.source.origin {
        case .memory(let bytes): bytes()
        default: try PictureFile.bytes(of: request.source.address, limit: limits.bytes)
        }
      }
      return try await picture(bytes, for: request, clock: context.clock)
    }.limited(by: localPermits)
  }

  private func webLoader(for request: PictureRequest, origin: RequestOrigin) -> Loader<Picture> {
    // A local load, so that slow servers do not delay pictures whose bytes are here.
    let keptLoader = Loader<(picture: Picture, isCurrent: Bool)?> { [self] context in
      guard context.cause == .appeared || context.cause == .inputChanged,
        let kept = await kept(request.source.address, at: context.clock.now)
      else { return nil }
      let isCurrent = kept.isFresh || network?.isOpen == false
      do {
        let picture = try await picture(kept.bytes, for: request, clock: context.clock)
        // Its first load may have been cancelled before.
        downloads[request.source.address]?.isShown = true
        return (picture, isCurrent)
      } catch  where !isCurrent {
        return nil
      }
    }.limited(by: localPermits)
    return Loader<Picture>(of: keptLoader) { [self] context, output in
      let kept = try await keptLoader.run(context, LoadContext.Output { _ in }) ?? nil
      if let kept, kept.isCurrent { return kept.picture }
      if let kept { output.yield(kept.picture) }
      return try await fetchLoader(for: request, origin: origin, old: kept?.picture)
        .run(context, output)
    }
  }

  /// - Parameter old: the picture if the fetch fails.
  private func fetchLoader(
    for request: PictureRequest, origin: RequestOrigin, old: Picture?
  ) -> Loader<Picture> {
    Loader { [self] context in
      if let network { try await context.wait(for: network) }
      do {
        let bytes = try await fetch(request.source.address, origin: origin, context)
        var download = Download(bytes: bytes, date: context.clock.now)
        // Not fetched again at each look, even if it cannot be shown; but then it must not take the
        // place of an older picture that can.
        if await !keepsPicture(request.source.address) {
          downloads[request.source.address] = download
        }
        let picture = try await picture(bytes, for: request, clock: context.clock)
        download.isShown = true
        downloads[request.source.address] = download
        // Stored before returning, so that a picture that the user has seen is cached even if the
        // program ends soon.
        if let stored { await run { stored.store(bytes, of: request.source.address) } }
        return picture
      } catch let error as PictureError {
        guard let old else { throw error }
        return old
      }
    }.limited(by: webPermits)
  }

  private func picture(
    _ bytes: [UInt8], for request: PictureRequest, clock: AnyClock
  ) async throws -> Picture {
    guard bytes.count <= limits.bytes else { throw PictureError.tooManyBytes(limit: limits.bytes) }
    let type: String
    switch PictureHeader(bytes) {
    case .unknown: throw PictureError.notAPicture
    case .other(let type): throw PictureError.typeNotShown(type)
    case .shown(let name, let size): (type, sizes[request.source]) = (name, size)
    }
    let answer = try await converter.convert(bytes, for: request, limits: limits, clock: clock)
    let cells = try AnswerMessage.cells(
      in: answer.bytes, id: answer.id, request: request, type: type)
    return Picture(cells: cells, label: request.label)
  }

  /// Returns a picture from the web that is in memory or on the disk.
  private func kept(
    _ address: String, at now: AnyClock.Instant
  ) async -> (bytes: [UInt8], isFresh: Bool)? {
    if let download = downloads[address] {
      return (download.bytes, download.date.duration(to: now) < Self.freshTime)
    }
    guard let stored else { return nil }
    return await run { [limits] in
      stored.picture(of: address, limit: limits.bytes).map {
        // After a change of the system's clock, a file may be from the future.
        ($0.bytes, 0..<Self.freshTime / .seconds(1) ~= $0.age)
      }
    }
  }

  /// Whether a picture from the web that could be shown is in memory or on the disk.
  private func keepsPicture(_ address: String) async -> Bool {
    if let download = downloads[address] { return download.isShown }
    guard let stored else { return false }
    return await run { [limits] in stored.picture(of: address, limit: limits.bytes) != nil }
  }

  nonisolated(nonsending) private func read(_ body: @escaping @Sendable () throws -> [UInt8])
    async throws -> [UInt8]
  {
    try await run { Result(catching: body) }.get()
  }

  nonisolated(nonsending) private func run<Value: Sendable>(
    _ body: @escaping @Sendable () -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      disk.async { continuation.resume(returning: body()) }
    }
  }

  private func fetch(
    _ address: String, origin: RequestOrigin, _ context: LoadContext
  ) async throws -> [UInt8] {
    var request = HTTPRequest(
      url: address, headers: ["Accept": "image/*"], limits: requestLimits(), origin: origin)
    // The user is looking at its place, while other fetches are for later.
    request.isUrgent = true
    request.limits.maximumBytes = limits.bytes
    request.limits.maximumRedirects = limits.redirects
    do {
      let response = try await client.send(request) { progress in
        let fraction = progress.expected.map { Double(progress.received) / Double(max($0, 1)) }
        context.report(fraction: fraction)
      }
      // The declared content type is ignored: the first bytes tell the type.
      guard 200..<300 ~= response.status else {
        throw PictureError.status(response.status, retryDate: retryDate(response.headers))
      }
      // A page in the place of a picture must not be cached, such as the login of a network for
      // guests.
      guard PictureHeader(response.body) != .unknown else { throw PictureError.notAPicture }
      return response.body
    } catch let error as HTTPError {
      throw PictureError.web(error)
    }
  }
}
