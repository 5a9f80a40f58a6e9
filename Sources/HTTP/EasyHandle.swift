import CCurl

/// One step of a transfer as curl sees it, up to an answer or a redirect: its options, its callbacks
/// and what they learnt.
///
/// Lives on the worker's thread.
final class EasyHandle {
  let transfer: Transfer
  let handle: OpaquePointer
  private(set) var route: Route
  private let round: Round
  private(set) var phase = HTTPPhase.connecting
  private var parser = ResponseHeadParser()
  private var redirect: ResponseHeadParser.Redirect?
  private let isPrivate: ([UInt8]) -> Bool
  /// What stands between us and the server; then we see its address and not the server's.
  private let proxy: String?
  /// Whether an address of the server was not connected to, since it is private.
  private var hasRefusedAddress = false
  private var hasHead = false
  private var received = 0
  private var onWire: curl_off_t = 0
  /// When our own reader began to make the server wait.
  private var pause: SuspendingClock.Instant?
  /// Nil until the first request is out.
  private var lastByte: SuspendingClock.Instant?
  /// When the whole transfer has lasted too long.
  private(set) var end: SuspendingClock.Instant
  /// Set by a callback that stops the transfer; curl would only say that a callback did.
  private var refusal: HTTPError?
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var addresses: UnsafeMutablePointer<curl_slist>?
  private let message: UnsafeMutablePointer<CChar>

  private var limits: HTTPRequest.Limits { transfer.request.limits }

  /// - Parameters:
  ///   - distrusts: whether the host's certificate was refused before.
  ///   - end: when the whole transfer has lasted too long.
  init(
    _ transfer: Transfer, on route: Route, tools: Tools, distrusts: Bool,
    end: SuspendingClock.Instant
  ) throws(HTTPError) {
    guard let handle = ccurl_easy_init() else { throw HTTPError(code: CURLE_OUT_OF_MEMORY) }
    self.transfer = transfer
    self.handle = handle
    self.route = route
    self.end = end
    round = tools.round
    isPrivate = tools.isPrivate
    proxy = Proxy.address(for: route.address)
    message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    try setHeaders()
    try setBody()
    try setOptions(tools.options)
    if distrusts { try check(ccurl_read_certificates_anew(handle)) }
    setCallbacks()
    if proxy != nil {
      // Who is asked is known by its name alone, and not even by that where curl does not tell how it
      // writes the name.
      guard route.address.asciiHost.utf8.allSatisfy({ $0 < 0x80 }) || route.mayBePrivate else {
        throw route.privateAddress
      }
      self.route.reach(isPublic: !route.isNamedPrivate)
    }
  }

  /// What all transfers of a client have in common.
  struct Tools {
    var options: HTTPClient.Options
    let isPrivate: ([UInt8]) -> Bool
    let round: Round
  }

  deinit {
    ccurl_easy_cleanup(handle)
    ccurl_slist_free_all(headers)
    ccurl_slist_free_all(addresses)
    message.deallocate()
  }

  /// When it has lasted too long: nothing came, or not all of it.
  ///
  /// Nil while our own reader makes the server wait. Before the first request is out, curl's limit on
  /// connecting counts in place of the one on silence.
  var deadline: SuspendingClock.Instant? {
    pause == nil ? min(end, lastByte.map { $0 + limits.stall } ?? end) : nil
  }

  /// Why it is ended at its deadline.
  var lateness: HTTPError {
    guard end <= round.start else { return .timedOut(phase == .waiting ? .waiting : .receiving) }
    return phase == .receiving ? .tooSlow : .timedOut(phase)
  }

  func resume() {
    guard let pause else { return }
    self.pause = nil
    end += pause.duration(to: round.start)
    lastByte = round.start
    ccurl_easy_pause(handle, CURLPAUSE_CONT)
  }

  enum Result {
    case redirect(ResponseHeadParser.Redirect)
    case end(Swift.Result<Void, any Error>)
  }

  func result(_ code: CURLcode) -> Result {
    if let refusal { return .end(.failure(refusal)) }
    if code == CURLE_OK {
      if let redirect { return .redirect(redirect) }
      return .end(
        hasHead
          ? .success(()) : .failure(HTTPError.malformedAnswer(reason: "no final answer")))
    }
    // curl has tried every address that the name has.
    if code == CURLE_COULDNT_CONNECT, hasRefusedAddress {
      return .end(.failure(route.privateAddress))
    }
    return .end(
      .failure(
        HTTPError(
          code: code,
          context: .init(
            handle: handle, message: String(cString: message), phase: phase,
            address: route.address, limits: limits))))
  }

  // MARK: Options

  private func setOptions(_ options: HTTPClient.Options) throws(HTTPError) {
    try check(ccurl_set_error_buffer(handle, message))
    try check(ccurl_allow_web_only(handle))
    try set(CURLOPT_URL, route.address.url)
    // Nothing of the environment: it has been looked at already.
    try set(CURLOPT_PROXY, proxy ?? "")
    try set(CURLOPT_NOPROXY, "")
    try set(CURLOPT_USERAGENT, options.userAgent)
    if let file = options.certificateAuthorityFile { try set(CURLOPT_CAINFO, file) }
    if let address = options.address?(route.address.host) {
      addresses = ccurl_slist_append(nil, "\(route.address.authority):\(address)")
      try check(ccurl_set_addresses(handle, addresses))
    }
    // Every compression that this curl knows.
    try set(CURLOPT_ACCEPT_ENCODING, "")
    // HTTP/1.1 alone: for single small files the second version brings nothing but more ways to
    // fail, and curl's releases in use differ in how it pauses and cancels.
    try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    // What is unpacked from so many bytes, which may be a thousand times as many, is kept by curl when
    // our reader makes the server wait.
    try set(CURLOPT_BUFFERSIZE, 4 << 10)

    // Each step is a transfer of its own, since each is checked.
    try set(CURLOPT_FOLLOWLOCATION, 0)
    try set(CURLOPT_CONNECTTIMEOUT_MS, Int(limits.connect.milliseconds))
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

  /// What is posted, by a route of one step.
  private func setBody() throws(HTTPError) {
    guard let body = transfer.request.body else { return }
    // Where no answer comes on an old connection, curl would send it again on a new one.
    if !body.isRepeatable { try set(CURLOPT_FRESH_CONNECT, 1) }
    // Of no bytes there may be no address, and without one curl would ask for them.
    let code = (body.bytes + [0]).withUnsafeBytes { bytes in
      bytes.baseAddress.map { ccurl_set_body(handle, $0, curl_off_t(body.bytes.count)) }
    }
    try check(code ?? CURLE_OUT_OF_MEMORY)
  }

  private func setHeaders() throws(HTTPError) {
    for field in route.headers.fields {
      guard isToken(field.name), HTTPHeaders.canSend(field.value) else {
        throw .invalidHeader(name: cleaned(field.name))
      }
      // "Name:" would tell curl to leave the field out.
      let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
      guard let list = ccurl_slist_append(headers, line) else {
        throw HTTPError(code: CURLE_OUT_OF_MEMORY)
      }
      headers = list
    }
    // Some servers never say that they are ready for a body, and curl would wait for that.
    if transfer.request.body != nil { headers = ccurl_slist_append(headers, "Expect:") }
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
    ccurl_on_socket(
      handle,
      { context, _, address in
        guard let address, EasyHandle.from(context)?.mayConnect(to: address) == true else {
          return -1
        }
        return ccurl_open_socket(address)
      }, context)
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

  /// Whether an address that a name turned out to have may be connected to.
  private func mayConnect(to address: UnsafePointer<curl_sockaddr>) -> Bool {
    if proxy != nil || route.mayBePrivate { return true }
    var bytes = [UInt8](repeating: 0, count: 16)
    if ccurl_socket_address(address, &bytes) == 1, !isPrivate(bytes) { return true }
    hasRefusedAddress = true
    return false
  }

  /// Whether the request may be written to who was connected to.
  ///
  /// Asked again, since a connection may be one that was made for another request.
  private func requestIsReady(to address: String?) -> Bool {
    phase = .waiting
    lastByte = round.start
    guard proxy == nil else { return true }
    let isPublic = address.flatMap(PrivateNetwork.bytes).map { !isPrivate($0) } ?? false
    guard isPublic || route.mayBePrivate else {
      _ = refuse(route.privateAddress)
      return false
    }
    route.reach(isPublic: isPublic)
    return true
  }

  private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
    phase = .receiving
    lastByte = round.start
    switch parser.take(line) {
    case .redirect(let redirect):
      self.redirect = redirect
    case .final(let status, let headers):
      hasHead = true
      transfer.receive(
        head: HTTPResponseHead(
          status: status, headers: headers, finalURL: route.address.url,
          isMovedPermanently: route.isMovedPermanently, contentOrigin: route.contentOrigin,
          beginsInPublic: route.beginsInPublic ?? true))
    case nil:
      if parser.isOverLimit { return refuse(.headersTooLarge(limit: ResponseHeadParser.limit)) }
    }
    return line.count
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastByte = round.start
    guard received + bytes.count <= limits.maximumBytes else {
      return refuse(.tooLarge(limit: limits.maximumBytes))
    }
    received += bytes.count
    // Nobody reads what comes with a redirect.
    if redirect != nil { return bytes.count }
    switch transfer.receive(bytes) {
    case .taken:
      return bytes.count
    case .full:
      // It comes again.
      received -= bytes.count
      pause = round.start
      return Int(CURL_WRITEFUNC_PAUSE)
    case .ended:
      return 0
    }
  }

  private func takeProgress(_ count: curl_off_t, of total: curl_off_t) -> Int32 {
    guard count != onWire else { return 0 }
    onWire = count
    lastByte = round.start
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
