/// Why a request got no answer.
///
/// An answer with any status, including 404 and 500, is not an error here; a cancelled task gets
/// `CancellationError`.
///
/// The associated strings are cut to 200 characters and free of control characters, wherever they
/// came from.
public enum HTTPError: Error, Equatable, Sendable {
  /// The text is not an absolute address.
  case invalidAddress(String)
  /// The address is neither `http` nor `https`.
  case unsupportedScheme(String)
  /// A header field of the request could not be sent as one line.
  case invalidHeader(name: String)

  /// libcurl, which every transfer needs, is not installed or cannot be loaded.
  case noLibrary(reason: String)

  /// The file of trusted certificates is missing or cannot be read.
  case noAuthorities(reason: String)

  /// The name has no known address.
  case cannotResolve(host: String)
  /// No server answers there; `host` is the name and the port.
  case cannotConnect(host: String, reason: String)
  /// The proxy named in the environment could not be used.
  case proxy(reason: String)
  /// The certificate is not the server's, or is not trusted.
  case certificate(CertificateFault, reason: String)
  /// No secure connection could be made, for a reason other than the certificate.
  case cannotSecure(host: String, reason: String)

  /// The request exceeded one of its time limits in this phase.
  case timedOut(HTTPPhase)
  /// The answer was arriving, but was not complete within `total`.
  case tooSlow
  /// The body was larger than `maximumBytes`.
  ///
  /// Not thrown for an answer with an error status: its body is cut off.
  case tooLarge(limit: Int)
  /// The headers were larger than those of any honest server.
  case headersTooLarge(limit: Int)
  /// The server redirected more often than allowed.
  case tooManyRedirects(limit: Int)
  /// The server redirected to something that is not a web address.
  case redirectRefused(to: String)
  /// The server redirected a request with a body, which is sent to no other address.
  case bodyRedirected(to: String)
  /// The server redirected from `https` to `http`, where anyone on the network can read and change
  /// what is sent.
  case insecureRedirect(to: String)
  /// The address leads to this machine or its private network, and the request's origin is not
  /// allowed to reach it.
  case privateAddress(host: String)
  /// The same, for an address that the server redirected to.
  case redirectIntoPrivateNetwork(to: String)
  /// A user name, a password or a cookie would be sent over `http`.
  case passwordInClear(host: String)

  /// The connection closed before the body was complete.
  case truncated
  /// The connection was reset.
  case connectionLost(reason: String)
  /// The connection closed without a single byte of an answer.
  case emptyAnswer
  /// The answer is not HTTP.
  case malformedAnswer(reason: String)
  /// The body is not compressed in the way that its headers say.
  case badEncoding(reason: String)

  /// Any other error, with curl's code.
  case other(code: Int, reason: String)

  /// Whether the client itself refused the request.
  ///
  /// The same request would be refused again, unless a server changes its redirects.
  public var isRefusal: Bool {
    switch self {
    case .invalidAddress, .unsupportedScheme, .invalidHeader, .redirectRefused, .bodyRedirected,
      .insecureRedirect,
      .privateAddress, .redirectIntoPrivateNetwork, .passwordInClear:
      true
    default: false
    }
  }

  /// Whether the same request may succeed later, with nothing changed on this side.
  public var isRetryable: Bool {
    switch self {
    case .noLibrary, .tooLarge, .malformedAnswer: false
    case .certificate(let fault, _): fault != .wrongName && fault != .selfSigned
    default: !isRefusal
    }
  }

  /// Whether a request may succeed later after an answer with this status: the server is busy or
  /// has failed.
  public static func isRetryable(status: Int) -> Bool {
    status >= 500 || status == 408 || status == 429
  }
}

/// What is wrong with a server's certificate.
public enum CertificateFault: Equatable, Sendable {
  case expired
  case notYetValid
  /// The server signed it itself.
  case selfSigned
  /// It belongs to another server.
  case wrongName
  /// It is not signed by a trusted authority, or has another fault.
  case untrusted
}

/// What a request was doing when its time ran out.
public enum HTTPPhase: Equatable, Sendable {
  /// Looking the name up, connecting, agreeing on TLS.
  case connecting
  /// The request is out and nothing has come back.
  case waiting
  /// The answer has begun.
  case receiving
}

/// Makes text from a server, an address or a library safe to show in a message: one line, no
/// control characters, nothing that reorders the text around it, at most `limit` characters.
func cleaned(_ text: String, limit: Int = 200) -> String {
  var result = ""
  var count = 0
  for scalar in text.unicodeScalars where isPrintable(scalar) {
    guard count < limit else { return result + "…" }
    result.unicodeScalars.append(scalar)
    count += 1
  }
  return result
}

private func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  // `format` includes the bidirectional overrides and isolates.
  case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
  default: true
  }
}
