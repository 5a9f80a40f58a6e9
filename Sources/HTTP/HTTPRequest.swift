/// A GET or a POST of one address, with limits on time and size.
///
/// ```swift
/// var request = HTTPRequest(url: "https://example.org/feed.xml")
/// request.headers["If-None-Match"] = tag
/// request.limits.total = .seconds(30)
/// let response = try await client.send(request)
/// ```
public struct HTTPRequest: Sendable, Equatable {
  /// An absolute address with the scheme `http` or `https`.
  public var url: String

  /// The request's header fields.
  ///
  /// `Authorization`, `Proxy-Authorization` and `Cookie` are sent only to the scheme, host and port
  /// of ``url``; other fields are also sent to redirects. Without a `Cookie`, a server that redirects
  /// gets back the cookies that it has set with the redirects of this request.
  public var headers: HTTPHeaders

  /// The body of a POST; nil for a GET.
  ///
  /// It is sent to its own address only: every redirect of a request with a body is refused.
  public var body: Body?

  /// Limits on size, redirects and time.
  public var limits: Limits

  /// Who named the address.
  public var origin: RequestOrigin

  /// Whether a user name, a password or a cookie may be sent over `http` to another machine, where
  /// anyone on the network can read it.
  public var sendsPasswordsInClear = false

  /// Whether it goes before other requests that wait for a permit, for example because the user is
  /// looking at its result.
  public var isUrgent = false

  /// Creates a request without headers of its own and with limits for a feed or an article.
  public init(
    url: String, headers: HTTPHeaders = [:], body: Body? = nil, limits: Limits = Limits(),
    origin: RequestOrigin = .user
  ) {
    self.url = url
    self.headers = headers
    self.body = body
    self.limits = limits
    self.origin = origin
  }

  /// The body of a POST.
  public struct Body: Sendable, Equatable {
    /// The bytes, as they are sent.
    public var bytes: [UInt8]
    /// The `Content-Type`.
    public var type: String
    /// Whether the body contains a password: then ``sendsPasswordsInClear`` applies to it.
    public var isSecret: Bool

    /// Whether the body may be sent twice because it changes nothing.
    ///
    /// Then it uses an open connection, and is sent again if that turns out to be closed.
    public var isRepeatable = false

    /// Creates a body of any type.
    public init(_ bytes: [UInt8], type: String, isSecret: Bool = false) {
      (self.bytes, self.type, self.isSecret) = (bytes, type, isSecret)
    }

    /// Creates a body from the fields of a form, in order; a name may occur several times.
    public init(form: [(name: String, value: String)], isSecret: Bool = false) {
      let fields = form.map { Self.escaped($0.name) + "=" + Self.escaped($0.value) }
      self.init(
        Array(fields.joined(separator: "&").utf8), type: "application/x-www-form-urlencoded",
        isSecret: isSecret)
    }

    private static func escaped(_ text: String) -> String {
      text.utf8.reduce(into: "") { escaped, byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "_"), UInt8(ascii: "~"):
          escaped.unicodeScalars.append(Unicode.Scalar(byte))
        default:
          escaped += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      }
    }
  }

  /// The limits of one request.
  ///
  /// Neither waiting for a permit of the client nor time in which the reader of an ``HTTPStream``
  /// holds the server back counts toward any of them. Negative numbers count as 0, and each duration
  /// is at least a millisecond.
  public struct Limits: Sendable, Equatable {
    /// The largest body, in bytes, both before and after decompression.
    public var maximumBytes: Int

    /// The most redirects to follow; 0 refuses the first.
    public var maximumRedirects: Int

    /// The time from the start of one connection until the request can be sent: name lookup, TCP
    /// and TLS.
    public var connect: Duration

    /// The longest silence: time without a byte of the answer once the request has been sent.
    public var stall: Duration

    /// The time for the whole transfer, redirects included.
    public var total: Duration

    /// Creates limits that suit a feed or an article.
    public init(
      maximumBytes: Int = 16 << 20, maximumRedirects: Int = 5, connect: Duration = .seconds(10),
      stall: Duration = .seconds(20), total: Duration = .seconds(60)
    ) {
      self.maximumBytes = maximumBytes
      self.maximumRedirects = maximumRedirects
      self.connect = connect
      self.stall = stall
      self.total = total
    }
  }
}

/// Who named the address of a request, which decides where the request may lead.
///
/// Without this check, an article from the public network could make this program send requests to
/// the router or to services of this machine, which nobody outside can reach.
public enum RequestOrigin: Sendable, Hashable {
  /// The user, who may name this machine and the network around it.
  case user

  /// The user, who named an address of the public network: it may reach public addresses of this
  /// machine and its network, such as that of the user's own website, but no other private address.
  case userInPublic

  /// Content from the public network: it may reach no private address.
  case publicContent

  /// Content from a host of the private network: it may reach the public network and that host
  /// alone.
  case privateContent(host: String)
}
