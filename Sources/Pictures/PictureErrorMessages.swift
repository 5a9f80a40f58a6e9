public import Foundation
import HTTP
import Terminal
public import UserErrors

extension PictureError: ExplainedError {
  /// What happened: one sentence for the user.
  public var what: String {
    switch self {
    case .notFound: "The picture is not there."
    case .notAFile: "The picture is not a regular file."
    case .cannotRead: "The picture cannot be read."
    case .web(.tooLarge), .tooManyBytes: "The picture's file is too large."
    case .web(.timedOut): "The picture did not arrive in time."
    case .web(.certificate(.expired, _)): "The certificate of the picture's server has expired."
    case .web(.certificate): "The certificate of the picture's server is not trusted."
    case .web(.invalidAddress), .web(.unsupportedScheme):
      "The picture's address is not a web address."
    case .web(.privateAddress), .web(.redirectIntoPrivateNetwork):
      "The picture's address is in a private network."
    case .web(.insecureRedirect): "The picture's server redirects from https to http."
    case .web(.passwordInClear): "The picture's address has a password, which http would expose."
    case .web(.cannotResolve), .web(.cannotConnect): "The picture's server cannot be reached."
    case .web(.noAuthorities): "The file of trusted certificates cannot be read."
    case .web(.noLibrary): "The library libcurl, which fetches from the web, is missing."
    case .web: "The picture could not be fetched."
    case .status(404, _), .status(410, _): "The picture is no longer at its address."
    case .status(429, _): "The picture's server says that it gets too many requests."
    case .status: "The server refuses to send the picture."
    case .tooLarge(let size): "The picture is too large: \(size.width) × \(size.height) pixels."
    case .notAPicture: "This is not a picture."
    case .typeNotShown(let type): "\(type) pictures are not shown."
    case .truncated: "The picture ends in the middle."
    case .broken: "The picture is damaged."
    case .outOfMemory: "The picture needs too much memory."
    case .noDecoder(let type): "This system cannot decode \(type) pictures."
    case .noSandbox: "Pictures are not decoded, since this system cannot confine the decoder."
    case .cannotStart: "The program that decodes pictures does not start."
    case .tookTooLong: "The picture takes too long to decode."
    case .converterEnded(.status): "The program that decodes pictures does not work here."
    case .converterEnded(.signal): "The picture crashed the program that decodes pictures."
    case .invalidAnswer: "The program that decodes pictures gave a wrong answer."
    }
  }

  /// What the user can do about it: one sentence.
  public var advice: String {
    switch self {
    case .notFound, .notAFile, .cannotRead: "Check the file, then retry."
    case .web(.noLibrary): "Install the package libcurl4, then start again."
    case .web(.noAuthorities): "Check SSL_CERT_FILE, or install the package ca-certificates."
    case .web(.privateAddress), .web(.redirectIntoPrivateNetwork), .web(.insecureRedirect),
      .web(.passwordInClear):
      "It is not loaded. Open it in the browser if you trust it."
    case .notAPicture, .truncated: "Try again, or open it with another program."
    case .status(429, _): "Try again much later, or open the address in the browser."
    case .web, .status:
      isRetryable
        ? "Try again, or open the address in the browser." : "Open the address in the browser."
    case .tooManyBytes, .tooLarge, .typeNotShown, .broken, .outOfMemory:
      "Open it with another program."
    case .noDecoder("WebP"): "Install the package webp-pixbuf-loader."
    case .noDecoder(let type): "Install the \(type) decoder for gdk-pixbuf."
    case .noSandbox: "Open it with another program."
    case .cannotStart, .converterEnded(.status):
      "Check that argyle and argyle-pictures are installed together, then try again."
    case .tookTooLong, .converterEnded(.signal), .invalidAnswer:
      "Try again; everything else goes on without it."
    }
  }

  /// Technical details.
  public var detail: String? {
    switch self {
    case .notFound(let path), .notAFile(let path): cleaned(path)
    case .cannotRead(let path, let code): cleaned("\(path): \(systemMessage(code))")
    case .web(let error): cleaned(String(describing: error))
    case .status(let status, _): "HTTP status \(status)"
    case .tooManyBytes(let limit): "More than \(limit >> 10) KB"
    case .cannotStart(let code): systemMessage(code)
    case .tookTooLong(let time): "More than \(time)"
    case .converterEnded(.status(let status)): "Exit status \(status)"
    case .converterEnded(.signal(let signal)): "Signal \(signal)"
    default: nil
    }
  }

  /// The time before which the picture's server allows no other request.
  public var retryDate: Date? {
    if case .status(_, let retryDate) = self { retryDate } else { nil }
  }

  /// Returns one line of printable text, shortened.
  private func cleaned(_ text: String) -> String {
    Glyphs(text).prefix(200).map(\.text).joined()
  }
}

/// Returns the system's message for an `errno`.
private func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
