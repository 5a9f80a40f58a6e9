import CCurl

/// Translates curl's error codes. Some codes have several meanings; the state of the transfer tells
/// them apart.
extension HTTPError {
  struct Context {
    let handle: OpaquePointer
    let message: String
    let phase: HTTPPhase
    let address: WebAddress
    let isProxied: Bool
  }

  /// Creates the error for a failure before anything was sent.
  init(code: CURLcode) {
    self = .other(
      code: Int(code.rawValue), reason: cleaned(String(cString: ccurl_easy_strerror(code))))
  }

  init(code: CURLcode, context: Context) {
    let reason = cleaned(
      context.message.isEmpty ? String(cString: ccurl_easy_strerror(code)) : context.message)
    let address = context.address
    let systemError = Int32(ccurl_get_long(context.handle, CURLINFO_OS_ERRNO))

    self =
      switch code {
      case CURLE_URL_MALFORMAT:
        .invalidAddress(cleaned(address.url))
      case CURLE_UNSUPPORTED_PROTOCOL:
        // The address was checked before, so curl means an answer that does not begin like HTTP/1.
        .malformedAnswer(reason: reason)
      case CURLE_COULDNT_RESOLVE_HOST:
        .cannotResolve(host: cleaned(address.host))
      // Through a proxy, curl connects to nothing else.
      case CURLE_COULDNT_CONNECT where context.isProxied, CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
        .proxy(reason: reason)
      case CURLE_COULDNT_CONNECT:
        .cannotConnect(
          host: cleaned(address.authority),
          reason: systemError == 0
            ? reason : cleaned(String(cString: ccurl_system_message(systemError))))
      case CURLE_SSL_CACERT_BADFILE:
        .noAuthorities(reason: reason)
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
        .certificate(CertificateFault(context.handle, reason: reason), reason: reason)
      case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER:
        .cannotSecure(host: cleaned(address.authority), reason: reason)
      case CURLE_OPERATION_TIMEDOUT:
        .timedOut(context.phase)
      case CURLE_OUT_OF_MEMORY where context.phase != .connecting, tooLargeCode:
        .headersTooLarge(limit: headerLineLimit)
      case CURLE_PARTIAL_FILE:
        .truncated
      case CURLE_GOT_NOTHING:
        .emptyAnswer
      case CURLE_WEIRD_SERVER_REPLY:
        .malformedAnswer(reason: reason)
      case CURLE_BAD_CONTENT_ENCODING:
        .badEncoding(reason: reason)
      case CURLE_SEND_ERROR, CURLE_RECV_ERROR:
        Self.lost(reason, systemError, context)
      default:
        .other(code: Int(code.rawValue), reason: reason)
      }
  }

  /// Returns the error for a failed read or write: the connection broke, a proxy refused to
  /// connect, or curl cannot parse the answer.
  private static func lost(_ reason: String, _ systemError: Int32, _ context: Context) -> HTTPError
  {
    let connectStatus = ccurl_get_long(context.handle, CURLINFO_HTTP_CONNECTCODE)
    if connectStatus >= 300 { return .proxy(reason: reason) }
    if systemError == 0, context.phase == .receiving { return .malformedAnswer(reason: reason) }
    return .connectionLost(reason: reason)
  }
}

/// The longest header line that curl accepts, in bytes.
///
/// For a longer line curl reports that it is out of memory, or, from 8.6 on, that the line is too
/// large.
private let headerLineLimit = 100 << 10
private let tooLargeCode = CURLcode(rawValue: 100)

extension CertificateFault {
  /// Uses OpenSSL's verification result; other TLS libraries give only a message.
  fileprivate init(_ handle: OpaquePointer, reason: String) {
    let reason = reason.lowercased()
    self =
      switch ccurl_get_long(handle, CURLINFO_SSL_VERIFYRESULT) {
      case 9: .notYetValid
      case 10: .expired
      case 18, 19: .selfSigned
      case _ where reason.contains("expired"): .expired
      case _ where reason.contains("self-signed") || reason.contains("self signed"): .selfSigned
      // curl compares the host name itself.
      case _ where reason.contains("subject name") || reason.contains("subjectaltname"):
        .wrongName
      default: .untrusted
      }
  }
}
