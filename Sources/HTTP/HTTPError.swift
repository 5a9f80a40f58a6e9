/// Why there is no answer.
///
/// An answer with any status, 404 and 500 included, is not an error here; a cancelled task gets
/// `CancellationError`.
///
/// Strings inside are cut to 200 characters and free of control characters, wherever they came from.
public enum HTTPError: Error, Equatable, Sendable {
  /// The text is not an absolute address.
  case invalidAddress(String)
  /// The address is neither `http` nor `https`.
  case unsupportedScheme(String)
  /// A header field of the request could not be sent as one line.
  case invalidHeader(name: String)

  /// libcurl, which every transfer needs, is not on this system or cannot be loaded.
  case noLibrary(reason: String)

  /// No address is known for the name.
  case cannotResolve(host: String)
  /// Nobody answers there; `host` is the name and the port.
  case cannotConnect(host: String, reason: String)
  /// The proxy named in the environment could not be used.
  case proxy(reason: String)
  /// The server is not who it says it is, or nobody we trust says so.
  case certificate(CertificateFault, reason: String)
  /// No secure connection came about, for a reason other than the certificate.
  case cannotSecure(host: String, reason: String)

  /// One of the request's limits on time was met while it was doing this.
  case timedOut(HTTPPhase)
  /// The answer was coming, but not all of it within `total`.
  case tooSlow
  /// The body was larger than `maximumBytes`.
  case tooLarge(limit: Int)
  /// The headers were larger than any honest ones.
  case headersTooLarge(limit: Int)
  /// The server sent us on more often than allowed.
  case tooManyRedirects(limit: Int)
  /// The server sent us on to something that is not a web address.
  case redirectRefused(to: String)
  /// The server sent us on from `https` to `http`, where everyone on the way can read and change what
  /// is sent.
  case insecureRedirect(to: String)
  /// The address leads to this machine or into the network around it, and its origin is not allowed
  /// to name one there.
  case privateAddress(host: String)
  /// The same, of an address that the server sent us on to.
  case redirectIntoPrivateNetwork(to: String)
  /// A name, a password or a cookie would be sent over `http`.
  case passwordInClear(host: String)

  /// The connection closed before the body was whole.
  case truncated
  /// The connection was reset.
  case connectionLost(reason: String)
  /// The connection closed without a single byte of an answer.
  case emptyAnswer
  /// What came is not HTTP.
  case malformedAnswer(reason: String)
  /// The body is not in the compression that its headers name.
  case badEncoding(reason: String)

  /// Anything else, by curl's number.
  case other(code: Int, reason: String)

  /// Whether the client itself has refused it: the same request would be refused again, unless a
  /// server changes where it redirects to.
  public var isRefusal: Bool {
    switch self {
    case .invalidAddress, .unsupportedScheme, .invalidHeader, .redirectRefused, .insecureRedirect,
      .privateAddress, .redirectIntoPrivateNetwork, .passwordInClear:
      true
    default: false
    }
  }

  /// Whether the same request may get an answer another time, with nothing changed on this side.
  public var isRetryable: Bool {
    switch self {
    case .noLibrary, .tooLarge, .malformedAnswer: false
    case .certificate(let fault, _): fault != .wrongName && fault != .selfSigned
    default: !isRefusal
    }
  }

  /// The same of an answer with an error's status: whether the server is only busy or at fault.
  public static func isRetryable(status: Int) -> Bool {
    status >= 500 || status == 408 || status == 429
  }
}

/// What is wrong with a server's certificate.
public enum CertificateFault: Equatable, Sendable {
  case expired
  case notYetValid
  /// The server made it itself.
  case selfSigned
  /// It is another server's.
  case wrongName
  /// Nobody that we trust has signed it, or something else that we cannot name.
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
