import HTTP

@testable import Articles

extension Library.Options {
  /// For tests, whose servers and clients are held up by whatever else the machine does: a limit of
  /// real time would be a failure that nobody asked for.
  static let patient = {
    var options = Library.Options()
    options.limits = HTTPRequest.Limits(
      connect: .seconds(600), stall: .seconds(600), total: .seconds(600))
    return options
  }()
}
