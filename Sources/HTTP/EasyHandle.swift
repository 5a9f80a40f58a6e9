import CCurl

/// One transfer as curl sees it: its options, its callbacks and what they learnt.
///
/// Lives on the worker's thread.
final class EasyHandle {
  let transfer: Transfer
  let handle: OpaquePointer
  private let round: Round
  private(set) var phase = HTTPPhase.connecting
  private var parser = ResponseHeadParser()
  private var redirect: String?
  /// Whether the first server that was asked is one of the public network.
  private var startedPublic = false
  private let isPrivate: @Sendable (String) -> Bool
  private var hasHead = false
  private var received = 0
  private var onWire: curl_off_t = 0
  private var isPaused = false
  /// Nil until the first request is out.
  private var lastByte: SuspendingClock.Instant?
  /// Set by a callback that stops the transfer; curl would only say that a callback did.
  private var refusal: HTTPError?
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var addresses: UnsafeMutablePointer<curl_slist>?
  private let message: UnsafeMutablePointer<CChar>

  private var limits: HTTPRequest.Limits { transfer.request.limits }

  /// - Parameter distrusts: whether the host's certificate was refused before.
  init(
    _ transfer: Transfer, options: HTTPClient.Options, distrusts: Bool, round: Round
  ) throws(HTTPError) {
    guard let handle = ccurl_easy_init() else { throw HTTPError(code: CURLE_OUT_OF_MEMORY) }
    self.transfer = transfer
    self.handle = handle
    self.round = round
    isPrivate = options.isPrivate
    message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    try setHeaders(options)
    try setOptions(options)
    if distrusts { try check(ccurl_read_certificates_anew(handle)) }
    setCallbacks()
  }

  deinit {
    ccurl_easy_cleanup(handle)
    ccurl_slist_free_all(headers)
    ccurl_slist_free_all(addresses)
    message.deallocate()
  }

  /// When the silence has lasted too long.
  ///
  /// Nil while the first connection is made, which has a limit of its own, and while our own reader
  /// makes the server wait. After a redirect it covers the rest of that answer, body included.
  var stallDeadline: SuspendingClock.Instant? {
    isPaused ? nil : lastByte.map { $0 + limits.stall }
  }

  var stall: HTTPError {
    .timedOut(phase == .waiting ? .waiting : .receiving)
  }

  func resume() {
    guard isPaused else { return }
    isPaused = false
    lastByte = round.start
    ccurl_easy_pause(handle, CURLPAUSE_CONT)
  }

  func result(_ code: CURLcode) -> Result<Void, any Error> {
    if let refusal { return .failure(refusal) }
    if code == CURLE_OK {
      return hasHead
        ? .success(()) : .failure(HTTPError.malformedAnswer(reason: "no final answer"))
    }
    return .failure(
      HTTPError(
        code: code,
        context: .init(
          handle: handle, message: String(cString: message), phase: phase, redirect: redirect,
          limits: limits)))
  }

  // MARK: Options

  private func setOptions(_ options: HTTPClient.Options) throws(HTTPError) {
    try check(ccurl_set_error_buffer(handle, message))
    try check(ccurl_allow_web_only(handle))
    try set(CURLOPT_URL, transfer.address.url)
    try set(CURLOPT_USERAGENT, options.userAgent)
    if let file = options.certificateAuthorityFile { try set(CURLOPT_CAINFO, file) }
    if let address = options.address?(transfer.address.host) {
      addresses = ccurl_slist_append(nil, "\(transfer.address.authority):\(address)")
      try check(ccurl_set_addresses(handle, addresses))
    }
    // Every compression that this curl knows.
    try set(CURLOPT_ACCEPT_ENCODING, "")
    // HTTP/1.1 alone: for single small files the second version brings nothing but more ways to
    // fail, and curl's releases in use differ in how it pauses and cancels.
    try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    // Four times what it is by itself: most feeds then come in one or two pieces.
    try set(CURLOPT_BUFFERSIZE, 64 << 10)

    try set(CURLOPT_FOLLOWLOCATION, 1)
    // A negative number would mean no limit.
    try set(CURLOPT_MAXREDIRS, max(0, limits.maximumRedirects))
    try set(CURLOPT_CONNECTTIMEOUT_MS, Int(limits.connect.milliseconds))
    try set(CURLOPT_TIMEOUT_MS, Int(limits.total.milliseconds))
    // 0 would mean no limit; the callback catches the first byte too many.
    try check(
      ccurl_set_size(
        handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(max(1, limits.maximumBytes))))

    // No signals: they belong to the program, and the alarm that curl would use is not thread-safe.
    try set(CURLOPT_NOSIGNAL, 1)
    // A proxy's own answer to CONNECT is not the server's.
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    ccurl_abandon_lookups(handle)
  }

  private func setHeaders(_ options: HTTPClient.Options) throws(HTTPError) {
    for field in transfer.request.headers.fields {
      guard isToken(field.name), isOneLine(field.value) else {
        throw .invalidHeader(name: cleaned(field.name))
      }
      // "Name:" would tell curl to leave the field out.
      let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
      guard let list = ccurl_slist_append(headers, line) else {
        throw HTTPError(code: CURLE_OUT_OF_MEMORY)
      }
      headers = list
    }
    try check(ccurl_set_headers(handle, headers))
  }

  private func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
    try check(ccurl_set_long(handle, option, value))
  }

  private func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
    try check(ccurl_set_string(handle, option, value))
  }

  private func check(_ code: CURLcode) throws(HTTPError) {
    if code != CURLE_OK { throw HTTPError(code: code) }
  }

  // MARK: Callbacks

  private func setCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_on_request(
      handle,
      { context, address, _, _, _ in
        let mayGo = EasyHandle.from(context)?.requestIsReady(
          to: address.map { String(cString: $0) })
        return mayGo == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      }, context)
    ccurl_on_header(
      handle,
      { bytes, size, count, context in
        let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return EasyHandle.from(context)?.takeHeader(line) ?? 0
      }, context)
    ccurl_on_body(
      handle,
      { bytes, size, count, context in
        let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return EasyHandle.from(context)?.takeBody(bytes) ?? 0
      }, context)
    ccurl_on_progress(
      handle,
      { context, total, count, _, _ in
        EasyHandle.from(context)?.takeProgress(count, of: total) ?? 1
      }, context)
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> EasyHandle? {
    context.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether the request may be written to who was connected to, by the address that a name turned
  /// out to have: what stands in a redirect says nothing of that.
  private func requestIsReady(to address: String?) -> Bool {
    phase = .waiting
    lastByte = round.start
    let isPublic = address.map { !isPrivate($0) } ?? true
    if let redirect, startedPublic, !isPublic {
      _ = refuse(.redirectIntoPrivateNetwork(to: cleaned(redirect)))
      return false
    }
    if redirect == nil { startedPublic = isPublic }
    return true
  }

  private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
    phase = .receiving
    lastByte = round.start
    switch parser.take(line) {
    case .redirect(let location):
      redirect = location
      phase = .connecting
    case .final(let status, let headers):
      hasHead = true
      let url = ccurl_get_string(handle, CURLINFO_EFFECTIVE_URL).map(String.init(cString:))
      transfer.receive(
        head: HTTPResponseHead(
          status: status, headers: headers, finalURL: url ?? transfer.address.url,
          isMovedPermanently: parser.isMovedPermanently))
    case nil:
      if parser.isOverLimit { return refuse(.tooLarge(limit: ResponseHeadParser.limit)) }
    }
    return line.count
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastByte = round.start
    guard received + bytes.count <= limits.maximumBytes else {
      return refuse(.tooLarge(limit: limits.maximumBytes))
    }
    switch transfer.receive(bytes) {
    case .taken:
      received += bytes.count
      return bytes.count
    case .full:
      isPaused = true
      return Int(CURL_WRITEFUNC_PAUSE)
    case .ended:
      return 0
    }
  }

  private func takeProgress(_ count: curl_off_t, of total: curl_off_t) -> Int32 {
    guard count != onWire else { return 0 }
    onWire = count
    lastByte = round.start
    // The bodies of redirects go past `takeBody`; without this one of them could be endless.
    guard count <= limits.maximumBytes else {
      _ = refuse(.tooLarge(limit: limits.maximumBytes))
      return 1
    }
    if hasHead {
      transfer.progress?(HTTPProgress(received: Int(count), expected: total > 0 ? Int(total) : nil))
    }
    return 0
  }

  /// 0 is not what curl hopes a callback to return: it stops.
  private func refuse(_ error: HTTPError) -> Int {
    refusal = error
    return 0
  }
}

private func isToken(_ name: String) -> Bool {
  !name.isEmpty
    && name.utf8.allSatisfy { byte in
      (0x21...0x7E).contains(byte) && !"()<>@,;:\\\"/[]?={}".utf8.contains(byte)
    }
}

private func isOneLine(_ value: String) -> Bool {
  value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
}
