import CCurl

/// An http or https address, parsed by curl, which will also use it.
///
/// If two parsers disagreed about where the host ends, one host would be checked and another one
/// contacted.
struct WebAddress {
  let url: String
  /// `http` or `https`.
  let scheme: String
  let host: String
  /// The host name that is looked up, in ASCII if curl reports that.
  let asciiHost: String
  /// Host and port: used in messages, as the key of the limit on transfers per host, and to decide
  /// whether a redirect stays on the same server.
  let authority: String
  /// Whether a user name or a password precedes the host.
  let hasCredentials: Bool

  /// - Parameter base: what a relative address is resolved against; without it the address must be
  ///   absolute.
  /// - Throws: `HTTPError.invalidAddress`, `HTTPError.unsupportedScheme`, `HTTPError.noLibrary`.
  init(_ text: String, relativeTo base: WebAddress? = nil) throws(HTTPError) {
    let invalid = HTTPError.invalidAddress(cleaned(text))
    // A zero byte would end the string for C; other control characters do not belong in an address.
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw invalid }
    // Every use of curl parses an address first, so this is where the library is loaded.
    if let failure = ccurl_load() {
      throw .noLibrary(reason: cleaned(String(cString: failure)))
    }
    guard let parts = ccurl_url() else { throw invalid }
    defer { ccurl_url_cleanup(parts) }

    var flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)
    if let base {
      guard ccurl_url_set(parts, CURLUPART_URL, base.url, flags) == CURLUE_OK else { throw invalid }
      // Servers redirect to addresses with spaces, and browsers follow them.
      flags |= UInt32(CURLU_ALLOW_SPACE)
    }
    guard ccurl_url_set(parts, CURLUPART_URL, text, flags) == CURLUE_OK,
      let scheme = Self.part(CURLUPART_SCHEME, of: parts)
    else { throw invalid }
    guard scheme == "http" || scheme == "https" else {
      throw .unsupportedScheme(cleaned(scheme))
    }
    guard let url = Self.part(CURLUPART_URL, of: parts),
      let host = Self.part(CURLUPART_HOST, of: parts), !host.isEmpty
    else { throw invalid }
    self.url = url
    self.scheme = scheme
    self.host = host.lowercased()
    asciiHost =
      Self.part(CURLUPART_HOST, of: parts, flags: ccurl_ascii_host_flag())?.lowercased()
      ?? self.host
    hasCredentials =
      Self.part(CURLUPART_USER, of: parts) != nil || Self.part(CURLUPART_PASSWORD, of: parts) != nil
    let port = Self.part(CURLUPART_PORT, of: parts, flags: UInt32(CURLU_DEFAULT_PORT)) ?? ""
    authority = "\(self.host):\(port)"
  }

  private static func part(
    _ part: CURLUPart, of parts: OpaquePointer, flags: UInt32 = 0
  ) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard ccurl_url_get(parts, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { ccurl_free(text) }
    return String(cString: text)
  }
}
