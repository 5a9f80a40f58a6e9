import CCurl

/// One step of a transfer, which ends with an answer or a redirect: curl's handle, its options and
/// its callbacks.
///
/// Used only on the worker's thread.
final class EasyHandle {
  let transfer: Transfer
  let handle: OpaquePointer
  private(set) var route: Route
  private let round: Round
  private(set) var phase = HTTPPhase.connecting
  private var parser = ResponseHeadParser()
  private var redirect: ResponseHeadParser.Redirect?
  private let scope: ([UInt8]) -> PrivateNetwork.Scope
  /// The proxy in front of the server, if any; then curl reports the proxy's address, not the
  /// server's.
  private let proxy: String?
  /// Whether connecting to an address of the server was refused because it is private.
  private var hasRefusedAddress = false
  /// The status of the final answer; nil until its head has arrived.
  private var status: Int?
  /// Whether the body of an answer with an error status was cut off at the limit.
  private var isCut = false
  private var received = 0
  /// How many bytes of the body have arrived, before decompression.
  private(set) var onWire: curl_off_t = 0
  /// When our own reader began to hold the server back; nil while it does not.
  private var pause: SuspendingClock.Instant?
  /// When the last byte arrived; nil until the first request has been sent.
  private var lastByte: SuspendingClock.Instant?
  /// When the whole transfer times out.
  private(set) var end: SuspendingClock.Instant
  /// Set by a callback that stops the transfer; curl only reports that a callback aborted it.
  private var refusal: HTTPError?
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var addresses: UnsafeMutablePointer<curl_slist>?
  private let message: UnsafeMutablePointer<CChar>

  private var limits: HTTPRequest.Limits { transfer.request.limits }

  /// - Parameters:
  ///   - distrusts: whether the host's certificate was refused before.
  ///   - isFresh: whether it needs a new connection.
  ///   - end: when the whole transfer times out.
  init(
    _ transfer: Transfer, on route: Route, tools: Tools, distrusts: Bool, isFresh: Bool,
    end: SuspendingClock.Instant
  ) throws(HTTPError) {
    guard let handle = ccurl_easy_init() else { throw HTTPError(code: CURLE_OUT_OF_MEMORY) }
    self.transfer = transfer
    self.handle = handle
    self.route = route
    self.end = end
    round = tools.round
    scope = tools.scope
    proxy = Proxy.address(for: route.address)
    message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    try setHeaders()
    try setBody()
    try setOptions(tools.options)
    if distrusts { try check(ccurl_read_certificates_anew(handle)) }
    // If an old connection gives no answer, curl would send the body again on a new one.
    if isFresh || transfer.request.body?.isRepeatable == false {
      try set(CURLOPT_FRESH_CONNECT, 1)
    }
    setCallbacks()
    if proxy != nil {
      // Behind a proxy only the name of the server is known, and not even that if curl does not
      // report how it encodes the name.
      guard route.address.asciiHost.utf8.allSatisfy({ $0 < 0x80 }) || route.mayReach(.reserved)
      else {
        throw route.privateAddress
      }
      self.route.reach(route.scopeOfName)
    }
  }

  /// What all transfers of a client share.
  struct Tools {
    var options: HTTPClient.Options
    let scope: ([UInt8]) -> PrivateNetwork.Scope
    let round: Round
  }

  deinit {
    ccurl_easy_cleanup(handle)
    ccurl_slist_free_all(headers)
    ccurl_slist_free_all(addresses)
    message.deallocate()
  }

  /// When the step times out: because of silence, or because the whole transfer takes too long.
  ///
  /// Nil while our own reader holds the server back, which does not count toward any limit. Before
  /// the first request has been sent, curl's limit on connecting applies instead of the limit on
  /// silence.
  var deadline: SuspendingClock.Instant? {
    pause == nil ? min(end, lastByte.map { $0 + max(.milliseconds(1), limits.stall) } ?? end) : nil
  }

  /// The error when the deadline passes.
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
    /// Send the request once more, on a new connection.
    case again
    case end(Swift.Result<Void, any Error>)
  }

  func result(_ code: CURLcode) -> Result {
    if let refusal { return .end(.failure(refusal)) }
    // However its body has ended.
    if let redirect { return .redirect(redirect) }
    if code == CURLE_OK {
      return .end(
        status != nil
          ? .success(()) : .failure(HTTPError.malformedAnswer(reason: "no final answer")))
    }
    if isLeftOver(code) { return .again }
    // The status says more than the size of the page that explains it.
    if isCut { return .end(.success(())) }
    // curl has tried every address of the name.
    if code == CURLE_COULDNT_CONNECT, hasRefusedAddress {
      return .end(.failure(route.privateAddress))
    }
    return .end(
      .failure(
        HTTPError(
          code: code,
          context: .init(
            handle: handle, message: String(cString: message), phase: phase,
            address: route.address, isProxied: proxy != nil))))
  }

  /// Whether the answer may be what the server had left to send of the one before: more than the
  /// length that it declared.
  private func isLeftOver(_ code: CURLcode) -> Bool {
    guard code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY, status == nil
    else { return false }
    // Nothing that must not be sent twice is sent on an old connection.
    return ccurl_get_long(handle, CURLINFO_NUM_CONNECTS) == 0
  }

  // MARK: Options

  private func setOptions(_ options: HTTPClient.Options) throws(HTTPError) {
    try check(ccurl_set_error_buffer(handle, message))
    try check(ccurl_allow_web_only(handle))
    try set(CURLOPT_URL, route.address.url)
    // Ignore the environment: ``Proxy`` has already read it.
    try set(CURLOPT_PROXY, proxy ?? "")
    try set(CURLOPT_NOPROXY, "")
    try set(CURLOPT_USERAGENT, options.userAgent)
    if let file = options.certificateAuthorityFile { try set(CURLOPT_CAINFO, file) }
    if let address = options.address?(route.address.host) {
      addresses = ccurl_slist_append(nil, "\(route.address.authority):\(address)")
      try check(ccurl_set_addresses(handle, addresses))
    }
    // All compressions that this curl supports.
    try set(CURLOPT_ACCEPT_ENCODING, "")
    // HTTP/1.1 only: for single small files HTTP/2 brings nothing but more ways to fail, and the
    // curl releases in use differ in how it pauses and cancels.
    try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    // When our reader holds the server back, curl keeps what one buffer decompresses to, which may
    // be a thousand times its size. So the buffer is small.
    try set(CURLOPT_BUFFERSIZE, 4 << 10)

    // Each redirect is a transfer of its own, because each address has to be checked.
    try set(CURLOPT_FOLLOWLOCATION, 0)
    try set(CURLOPT_CONNECTTIMEOUT_MS, Int(limits.connect.milliseconds))

    // No signals: they belong to the program, and the alarm that curl would use is not thread-safe.
    try set(CURLOPT_NOSIGNAL, 1)
    // A proxy's own answer to CONNECT is not the server's.
    try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    ccurl_abandon_lookups(handle)
  }

  /// Sets the body of a POST, whose route has one step only.
  private func setBody() throws(HTTPError) {
    guard let body = transfer.request.body else { return }
    // An empty array may have no address, and without an address curl would call for a read
    // callback.
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
      // "Name:" would make curl omit the field.
      let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
      guard let list = ccurl_slist_append(headers, line) else {
        throw HTTPError(code: CURLE_OUT_OF_MEMORY)
      }
      headers = list
    }
    // curl would wait for "100 Continue", which some servers never send.
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

  /// Whether curl may connect to an address that a name resolved to.
  private func mayConnect(to address: UnsafePointer<curl_sockaddr>) -> Bool {
    if proxy != nil { return true }
    var bytes = [UInt8](repeating: 0, count: 16)
    let isKnown = ccurl_socket_address(address, &bytes) == 1
    if route.mayReach(isKnown ? scope(bytes) : .reserved) { return true }
    hasRefusedAddress = true
    return false
  }

  /// Whether the request may be sent to the server that curl is connected to.
  ///
  /// Checked again because the connection may have been made for another request.
  private func requestIsReady(to address: String?) -> Bool {
    phase = .waiting
    lastByte = round.start
    guard proxy == nil else { return true }
    let scope = address.flatMap(PrivateNetwork.bytes).map(self.scope) ?? .reserved
    guard route.mayReach(scope) else {
      _ = refuse(route.privateAddress)
      return false
    }
    route.reach(scope)
    return true
  }

  private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
    phase = .receiving
    lastByte = round.start
    switch parser.take(line) {
    case .redirect(let redirect):
      self.redirect = redirect
    case .final(let status, let headers):
      self.status = status
      let isTooLarge = Self.declaredLength(status, headers) > limits.maximumBytes
      if isTooLarge, !hasErrorStatus { return endAtLimit() }
      transfer.receive(
        head: HTTPResponseHead(
          status: status, headers: headers, finalURL: route.address.url,
          isMovedPermanently: route.isMovedPermanently, isOfOtherServer: route.isAtOtherServer,
          contentOrigin: route.contentOrigin, beginsInPublic: route.beginsInPublic ?? true))
      if isTooLarge { return endAtLimit() }
    case nil:
      if parser.isOverLimit { return refuse(.headersTooLarge(limit: ResponseHeadParser.limit)) }
    }
    return line.count
  }

  /// Returns the length of the body as its head declares it; 0 if it does not.
  ///
  /// curl's own limit would end a transfer before the end of its head.
  private static func declaredLength(_ status: Int, _ headers: HTTPHeaders) -> Int {
    // Without a body, it is the length that the body would have.
    guard status != 204, status != 304, headers["Transfer-Encoding"] == nil else { return 0 }
    return headers["Content-Length"].flatMap { Int($0) } ?? 0
  }

  /// How much of the body of a redirect is read, in bytes.
  private static let redirectLength = 64 << 10

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastByte = round.start
    if redirect != nil {
      // Ignored, but a short one is read to its end, so that the connection can be used again.
      received += bytes.count
      return received <= Self.redirectLength ? bytes.count : 0
    }
    guard received + bytes.count <= limits.maximumBytes else { return endAtLimit() }
    received += bytes.count
    switch transfer.receive(bytes) {
    case .taken:
      return bytes.count
    case .full:
      // curl delivers these bytes again.
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
    // Also on the wire: a compressed body may inflate to nothing.
    if redirect != nil { return count <= Self.redirectLength ? 0 : 1 }
    guard count <= limits.maximumBytes else {
      _ = endAtLimit()
      return 1
    }
    if status != nil, !transfer.isEnded {
      transfer.progress?(HTTPProgress(received: Int(count), expected: total > 0 ? Int(total) : nil))
    }
    return 0
  }

  private var hasErrorStatus: Bool { status.map { $0 >= 400 } ?? false }

  /// Records that the body exceeds the limit, and returns 0 as ``refuse(_:)`` does.
  private func endAtLimit() -> Int {
    guard hasErrorStatus else { return refuse(.tooLarge(limit: limits.maximumBytes)) }
    isCut = true
    return 0
  }

  /// Records why the transfer has to stop, and returns 0, which makes curl stop it when the header
  /// or write callback returns it.
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
