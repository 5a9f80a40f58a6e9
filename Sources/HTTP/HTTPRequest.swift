/// A GET of one address, or a POST to it, and how much of anything it may take.
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

  /// `Authorization` and `Cookie` go to the first host only; other fields follow a redirect.
  public var headers: HTTPHeaders

  /// What is posted; nil for a GET.
  ///
  /// It is sent to the one address that it is for: every redirect of a request with a body is refused.
  public var body: Body?

  /// What it may cost.
  public var limits: Limits

  /// Who named the address.
  public var origin: RequestOrigin

  /// Whether a name, a password or a cookie may be sent over `http` to another machine, where
  /// everyone on the way can read it.
  public var sendsPasswordsInClear = false

  /// Whether it goes before those that wait for a place, as for what somebody is looking at.
  public var isUrgent = false

  /// A request with no headers but curl's own, and with limits for a feed or an article.
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

  /// What a request posts.
  public struct Body: Sendable, Equatable {
    /// As they are sent.
    public var bytes: [UInt8]
    /// The `Content-Type`.
    public var type: String
    /// Whether there is a password in it: then it is sent as ``sendsPasswordsInClear`` allows.
    public var isSecret: Bool

    /// Whether it may be sent twice, since it changes nothing: then it goes on a connection that is there,
    /// and again where that turns out to be closed.
    public var isRepeatable = false

    /// A body of any type.
    public init(_ bytes: [UInt8], type: String, isSecret: Bool = false) {
      (self.bytes, self.type, self.isSecret) = (bytes, type, isSecret)
    }

    /// The fields of a form, in their order; a name may come several times.
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

  /// What one request may cost.
  ///
  /// Waiting for a free place in the client counts toward none of it.
  public struct Limits: Sendable, Equatable {
    /// The size of the body, in bytes after decompression.
    public var maximumBytes: Int

    /// How many redirects are followed; 0 refuses the first.
    public var maximumRedirects: Int

    /// From the start of one connection to the moment the request can be written: name lookup,
    /// TCP and TLS.
    public var connect: Duration

    /// The longest silence: time without a single byte of the answer once the request is out.
    public var stall: Duration

    /// From the first byte of work to the last, redirects included.
    public var total: Duration

    /// Negative numbers count as 0, durations under a millisecond as one.
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
