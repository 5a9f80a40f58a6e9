/// The path of one request from its address through every redirect, and the rules for where it may
/// lead.
///
/// Each step is checked twice: by its name before anything is sent, and, unless a proxy is used, by
/// the address that the name resolved to before connecting.
struct Route {
  /// The address of the current step.
  private(set) var address: WebAddress
  /// Whether there was a redirect and all of them were permanent.
  var isMovedPermanently: Bool { redirects > 0 && permanentRedirects == redirects }
  /// The origin of addresses that occur in the answer.
  var contentOrigin: RequestOrigin {
    isPublic ? .publicContent : .privateContent(host: address.host)
  }
  /// Whether the first server has an address of the public network; nil before that is known.
  private(set) var beginsInPublic: Bool?

  private let request: HTTPRequest
  private let scope: ([UInt8]) -> PrivateNetwork.Scope
  private let first: WebAddress
  private var redirects = 0
  private var permanentRedirects = 0
  private var cookies = RouteCookies()
  private var isPublic = true
  /// Whether an earlier step was in the public network; no redirect may lead from there into a
  /// private network.
  private var wasPublic = false

  /// - Parameter scope: returns where an address leads.
  /// - Throws: `HTTPError`, when the first step is not allowed.
  init(
    _ request: HTTPRequest, to address: WebAddress,
    scope: @escaping ([UInt8]) -> PrivateNetwork.Scope
  ) throws(HTTPError) {
    self.request = request
    self.scope = scope
    self.address = address
    first = address
    try check()
  }

  /// Follows a redirect.
  ///
  /// - Throws: `HTTPError`, when the redirect is not allowed.
  mutating func follow(_ redirect: ResponseHeadParser.Redirect) throws(HTTPError) {
    guard request.body == nil else { throw .bodyRedirected(to: cleaned(redirect.location)) }
    let limit = max(0, request.limits.maximumRedirects)
    guard redirects < limit else { throw .tooManyRedirects(limit: limit) }
    redirects += 1
    if redirect.isPermanent { permanentRedirects += 1 }
    wasPublic = wasPublic || isPublic
    let next: WebAddress
    do {
      next = try WebAddress(redirect.location, relativeTo: address)
    } catch {
      throw .redirectRefused(to: cleaned(redirect.location))
    }
    guard address.scheme == "http" || next.scheme == "https" else {
      throw .insecureRedirect(to: cleaned(next.url))
    }
    cookies.take(redirect.cookies, from: server)
    address = next
    try check()
  }

  private func check() throws(HTTPError) {
    guard mayReach(scopeOfName) else { throw privateAddress }
    let hasSecret =
      address.hasCredentials || request.body?.isSecret == true
      || requestHeaders.fields.contains { Self.isSecret($0.name) }
    if hasSecret, address.scheme == "http", !request.sendsPasswordsInClear,
      !PrivateNetwork.isThisMachine(address.host)
    {
      throw .passwordInClear(host: cleaned(address.host))
    }
  }

  // MARK: The private network

  /// Where the step leads, as far as the name alone shows it.
  var scopeOfName: PrivateNetwork.Scope {
    PrivateNetwork.scope(ofName: address.asciiHost, scope: scope)
  }

  /// Whether the step may lead there.
  func mayReach(_ scope: PrivateNetwork.Scope) -> Bool {
    if scope == .elsewhere { return true }
    if wasPublic { return false }
    return switch request.origin {
    case .user: true
    case .userInPublic: scope == .ours
    case .publicContent: false
    case .privateContent(let host): address.host == host
    }
  }

  /// The error for a step that leads to a private address but may not.
  var privateAddress: HTTPError {
    redirects == 0
      ? .privateAddress(host: cleaned(address.host))
      : .redirectIntoPrivateNetwork(to: cleaned(address.url))
  }

  /// Records where the current server is.
  mutating func reach(_ scope: PrivateNetwork.Scope) {
    isPublic = scope == .elsewhere
    if beginsInPublic == nil { beginsInPublic = scope != .reserved }
  }

  // MARK: Headers

  /// Whether a redirect has led to another server than that of the request.
  var isAtOtherServer: Bool {
    address.authority != first.authority || address.scheme != first.scheme
  }

  /// The fields for this step: those of the request, and the cookies that its server has set in an
  /// earlier step.
  var headers: HTTPHeaders {
    var headers = requestHeaders
    if headers["Cookie"] == nil { headers["Cookie"] = cookies.value(for: server) }
    return headers
  }

  /// The server of this step, of which its cookies are.
  private var server: String { "\(address.scheme)://\(address.authority)" }

  /// The request's fields for this step: secrets are sent only to the server that the request was
  /// made for.
  private var requestHeaders: HTTPHeaders {
    guard isAtOtherServer else {
      var headers = request.headers
      if let body = request.body { headers["Content-Type"] = body.type }
      return headers
    }
    return HTTPHeaders(request.headers.fields.filter { !Self.isSecret($0.name) })
  }

  private static func isSecret(_ name: String) -> Bool {
    ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased())
  }
}

/// The cookies that servers set with the redirects of one route.
///
/// Some servers redirect a request until it has the cookie that they have set. A cookie is sent only
/// to the server that has set it, and nothing is kept after the route, so that no server recognises
/// a later request.
private struct RouteCookies {
  private var cookies: [(server: String, name: String, pair: String)] = []

  /// The greatest number of cookies that are kept, and that are read from one redirect.
  private static let countLimit = 50
  /// The greatest size of all of them, in bytes.
  private static let sizeLimit = 8 << 10

  /// Keeps cookies from the values of `Set-Cookie` fields; each replaces or deletes one with its
  /// name.
  mutating func take(_ fields: [String], from server: String) {
    for field in fields.prefix(Self.countLimit) {
      let pair = String(field.prefix { $0 != ";" })
      guard let mark = pair.firstIndex(of: "="), mark > pair.startIndex,
        HTTPHeaders.canSend(pair)
      else { continue }
      let name = String(pair[..<mark])
      cookies.removeAll { $0.server == server && $0.name == name }
      guard !Self.isDeletion(field) else { continue }
      let size = cookies.reduce(pair.utf8.count) { $0 + $1.pair.utf8.count }
      guard cookies.count < Self.countLimit, size <= Self.sizeLimit else { continue }
      cookies.append((server, name, pair))
    }
  }

  /// Whether a server deletes a cookie with a `Set-Cookie` field: by `Max-Age` or, without that, by
  /// a date in 1970.
  private static func isDeletion(_ field: String) -> Bool {
    let attributes = field.lowercased().split(separator: ";").dropFirst().map {
      $0.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
    }
    func value(_ name: String) -> String? {
      attributes.last { $0.first == name }?.dropFirst().first
    }
    if let age = value("max-age").flatMap({ Int($0) }) { return age <= 0 }
    return value("expires")?.contains("1970") ?? false
  }

  /// Returns the value of the `Cookie` field for a server; nil if it has set none.
  func value(for server: String) -> String? {
    let pairs = cookies.filter { $0.server == server }.map(\.pair)
    return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
  }
}
