import CCurl

/// curl's numbers as ours. Some of its numbers mean several things; what the transfer went through
/// tells them apart.
extension HTTPError {
  struct Context {
    let handle: OpaquePointer
    let message: String
    let phase: HTTPPhase
    let address: WebAddress
    let limits: HTTPRequest.Limits
  }

  /// A failure before anything was sent.
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
        // The address was checked, so it is the answer that did not begin as HTTP/1 does.
        .malformedAnswer(reason: reason)
      case CURLE_COULDNT_RESOLVE_HOST:
        .cannotResolve(host: cleaned(address.host))
      case CURLE_COULDNT_CONNECT:
        .cannotConnect(
          host: cleaned(address.authority),
          reason: systemError == 0
            ? reason : cleaned(String(cString: ccurl_system_message(systemError))))
      case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY:
        .proxy(reason: reason)
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
        CURLE_SSL_INVALIDCERTSTATUS:
        .certificate(CertificateFault(context.handle, reason: reason), reason: reason)
      case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER:
        .cannotSecure(host: cleaned(address.authority), reason: reason)
      case CURLE_OPERATION_TIMEDOUT:
        .timedOut(context.phase)
      case CURLE_FILESIZE_EXCEEDED:
        .tooLarge(limit: context.limits.maximumBytes)
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

  /// Reading or writing failed: the system says that the connection broke, or a proxy would not pass
  /// us on, or curl cannot read what came.
  private static func lost(_ reason: String, _ systemError: Int32, _ context: Context) -> HTTPError
  {
    let connectStatus = ccurl_get_long(context.handle, CURLINFO_HTTP_CONNECTCODE)
    if connectStatus >= 300 { return .proxy(reason: reason) }
    if systemError == 0, context.phase == .receiving { return .malformedAnswer(reason: reason) }
    return .connectionLost(reason: reason)
  }
}

/// How long curl lets one line of the headers be.
///
/// Of a longer one it says that there is no memory for it, or from 8.6 on that it is too large.
private let headerLineLimit = 100 << 10
private let tooLargeCode = CURLcode(rawValue: 100)

extension CertificateFault {
  /// From OpenSSL's number for what it found; other libraries have only words.
  fileprivate init(_ handle: OpaquePointer, reason: String) {
    let reason = reason.lowercased()
    self =
      switch ccurl_get_long(handle, CURLINFO_SSL_VERIFYRESULT) {
      case 9: .notYetValid
      case 10: .expired
      case 18, 19: .selfSigned
      case _ where reason.contains("expired"): .expired
      case _ where reason.contains("self-signed") || reason.contains("self signed"): .selfSigned
      // curl compares the name by itself.
      case _ where reason.contains("subject name") || reason.contains("subjectaltname"):
        .wrongName
      default: .untrusted
      }
  }
}
