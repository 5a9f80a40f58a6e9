import HTTP

extension HTTPRequest {
  /// A request that a busy machine does not make late: for tests in which time is not the subject.
  static func patient(_ url: String) -> HTTPRequest {
    HTTPRequest(
      url: url,
      limits: Limits(connect: .seconds(600), stall: .seconds(600), total: .seconds(600)))
  }
}
