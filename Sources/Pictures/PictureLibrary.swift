import Dispatch
public import HTTP
public import Loading
public import Terminal

/// Loads pictures as cells.
///
/// Use one for a whole program: it keeps the process that decodes, and what it loaded. A screen
/// shows a picture like any other value that is loaded:
///
/// ```swift
/// let request = PictureRequest(.file(path), room: Size(width: 40, height: 20), label: "A sock")
/// AsyncContentView(loader: pictures.loader(for: request), id: request) { picture in
///   Image(picture.cells, label: picture.label)
/// }
/// .placeholder(.blank(pictures.sizeIfKnown(of: request) ?? request.room))
/// ```
///
/// Decoding happens in a process of its own, `argyle-pictures`, which a hostile picture can crash or
/// hang at will: the load of that one picture fails, and the next picture gets a new process. Where
/// the program is missing, and for a request that asks for it, words take the picture's place.
public final class PictureLibrary: Sendable {
  private let converterPath: String
  private let client: HTTPClient
  private let requestLimits: @Sendable () -> HTTPRequest.Limits
  private let limits: PictureLimits
  let converter: Converter
  /// Files and memory are read, and files written, in calls that block.
  let disk = DispatchQueue(label: "pictures, disk", qos: .utility)
  // A place is held until the picture is converted: so many files' bytes are in memory at once. Slow
  // servers keep nothing waiting that is on this machine.
  private let webPlaces = LoadLimit(8)
  private let localPlaces = LoadLimit(2)
  private let pictures: LoadCache<PictureRequest, Picture>
  private let downloads: BoundedCache<String, [UInt8]>
  /// What came from the web, on the disk.
  private let stored: StoredPictures?
  private let network: LoadGate?
  private let sizes = BoundedCache<PictureSource, PixelSize>(capacity: 10_000) { _ in 1 }

  /// Starts nothing yet.
  ///
  /// - Parameters:
  ///   - client: fetches what is on the web.
  ///   - requestLimits: how long a fetch may take, asked for each; its size and its redirects are
  ///     `limits`' to say.
  ///   - converterPath: of the program `argyle-pictures`.
  ///   - limits: how much a picture may cost.
  ///   - folder: where pictures of the web are kept for the next time; nil for nowhere.
  ///   - network: closed while the web cannot be reached: pictures that are not kept wait for it.
  public init(
    client: HTTPClient,
    requestLimits: @escaping @Sendable () -> HTTPRequest.Limits = { HTTPRequest.Limits() },
    converterPath: String = ConverterLocation.beside(), limits: PictureLimits = PictureLimits(),
    folder: String? = nil, network: LoadGate? = nil
  ) {
    self.client = client
    self.network = network
    self.requestLimits = requestLimits
    self.converterPath = converterPath
    self.limits = limits
    converter = Converter(path: converterPath)
    // Pictures rarely change in their place, and an hour is long for a screen.
    pictures = LoadCache(
      staleAfter: .seconds(3600), lifetime: .seconds(24 * 3600), capacity: limits.cacheBytes
    ) { $0.cells.size.width * $0.cells.size.height * MemoryLayout<Cell>.stride }
    downloads = BoundedCache(capacity: limits.cacheBytes, size: \.count)
    stored = folder.map { StoredPictures(folder: $0, capacity: limits.storedBytes) }
  }

  /// Whether there is a program that decodes; without one, every picture is words.
  public var canDecode: Bool { ConverterLocation.isProgram(converterPath) }

  /// A loader of one picture.
  ///
  /// It reports progress while it fetches, and fails with `PictureError`. The clock of its load is
  /// the one that `PictureLimits.time` is measured with. What is kept from an earlier load is used
  /// unless the user asks again.
  public func loader(for request: PictureRequest) -> Loader<Picture> {
    let text = Picture.text(request.label, width: request.room.width)
    if request.isText { return .constant(text) }
    let loader = Loader<Picture> { [self] context in
      guard canDecode else { return text }
      let bytes = try await bytes(of: request.source, context)
      return try await picture(bytes, for: request, clock: context.clock)
    }
    return loader.limited(by: places(for: request.source)).cached(in: pictures, key: request)
  }

  /// How large a picture will be, if that is known: to reserve its room, so that nothing moves when
  /// it comes.
  ///
  /// It is known of what was loaded before in any size, and of what ``learnSize(of:)`` looked at.
  public func sizeIfKnown(of request: PictureRequest) -> Size? {
    if request.isText { return Picture.text(request.label, width: request.room.width).cells.size }
    return sizes[request.source].map { PictureFit.size(of: $0, in: request) }
  }

  /// Looks up how large a picture will be in its first bytes, which takes no decoder and no fetch;
  /// nil where that would take one, or where they do not tell.
  ///
  /// It waits where it is called, and reads beside.
  @discardableResult
  nonisolated(nonsending) public func learnSize(of request: PictureRequest) async -> Size? {
    if let size = sizeIfKnown(of: request) { return size }
    let source = request.source
    let head: [UInt8]? =
      switch source.origin {
      case .file:
        try? await read { [limits] in
          try PictureFile.bytes(
            of: source.address, limit: limits.bytes, headLength: PictureHeader.length)
        }
      case .memory(let bytes): try? await read(bytes)
      case .web: nil
      }
    guard let head, case .shown(let size?) = PictureHeader(head) else { return nil }
    sizes[source] = size
    return sizeIfKnown(of: request)
  }

  private func places(for source: PictureSource) -> LoadLimit {
    if case .web = source.origin { webPlaces } else { localPlaces }
  }

  private func picture(
    _ bytes: [UInt8], for request: PictureRequest, clock: AnyClock
  ) async throws -> Picture {
    guard bytes.count <= limits.bytes else { throw PictureError.tooManyBytes(limit: limits.bytes) }
    switch PictureHeader(bytes) {
    case .unknown: throw PictureError.notAPicture
    case .other(let type): throw PictureError.typeNotShown(type)
    case .shown(let size): sizes[request.source] = size
    }
    let answer = try await converter.convert(bytes, for: request, limits: limits, clock: clock)
    let cells = try AnswerMessage.cells(in: answer.bytes, id: answer.id, request: request)
    return Picture(cells: cells, label: request.label)
  }

  private func bytes(of source: PictureSource, _ context: LoadContext) async throws -> [UInt8] {
    let usesKept = context.cause == .appeared || context.cause == .inputChanged
    switch source.origin {
    case .file:
      return try await read { [limits] in
        try PictureFile.bytes(of: source.address, limit: limits.bytes)
      }
    case .memory(let bytes): return try await read(bytes)
    case .web(let origin):
      if usesKept, let bytes = downloads[source.address] { return bytes }
      if usesKept, let bytes = await storedBytes(of: source.address) { return bytes }
      if let network { try await context.wait(for: network) }
      return try await fetch(source.address, origin: origin) { context.report($0) }
    }
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

  private func storedBytes(of address: String) async -> [UInt8]? {
    guard let stored else { return nil }
    let bytes = try? await read { [limits] in stored.bytes(of: address, limit: limits.bytes) ?? [] }
    return bytes.flatMap { $0.isEmpty ? nil : $0 }
  }

  private func fetch(
    _ address: String, origin: RequestOrigin, report: @escaping @Sendable (LoadingProgress) -> Void
  ) async throws -> [UInt8] {
    var request = HTTPRequest(
      url: address, headers: ["Accept": "image/*"], limits: requestLimits(), origin: origin)
    // Somebody looks at its place, while feeds are fetched for later.
    request.isUrgent = true
    request.limits.maximumBytes = limits.bytes
    request.limits.maximumRedirects = limits.redirects
    do {
      let response = try await client.send(request) { progress in
        let fraction = progress.expected.map { Double(progress.received) / Double(max($0, 1)) }
        report(LoadingProgress(fraction: fraction))
      }
      // What the server calls it is not looked at: the bytes tell.
      guard 200..<300 ~= response.status else { throw PictureError.status(response.status) }
      downloads[address] = response.body
      // An error page is no picture: the next time is to ask again.
      if let stored, case .shown = PictureHeader(response.body) {
        // What a user has seen is there the next time, however soon the program ends.
        await run { stored.store(response.body, of: address) }
      }
      return response.body
    } catch let error as HTTPError {
      throw PictureError.web(error)
    }
  }
}
