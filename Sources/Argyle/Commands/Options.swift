import ArgumentParser
import Articles
import Foundation
import HTTP
import Terminal

/// What every command takes.
struct LibraryOptions: ParsableArguments {
  @Option(
    name: .customLong("data-dir"),
    help: ArgumentHelp(
      "Where feeds, articles and socks are kept (default: argyle/ in $XDG_DATA_HOME).",
      valueName: "directory"))
  var dataDirectory: String?

  var settings: Settings {
    Settings(environment: ProcessInfo.processInfo.environment, dataDirectory: dataDirectory)
  }

  func library() throws -> Library {
    let settings = settings
    let silence = Duration.seconds(settings.timeout)
    var options = HTTPClient.Options(
      certificateAuthorityFile: settings.certificateAuthorityFile)
    if !settings.publicAddresses.isEmpty {
      options.isPrivate = { [isPrivate = options.isPrivate, settings] address in
        !settings.publicAddresses.contains(address) && isPrivate(address)
      }
    }
    return Library(
      store: try ArticleStore(directory: settings.dataDirectory), bundled: Assets.handbook,
      client: HTTPClient(options: options),
      limits: HTTPRequest.Limits(connect: silence / 2, stall: silence, total: silence * 3))
  }
}

/// How a command answers.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Answer in JSON.")
  var json = false

  /// Prints an answer as JSON, or else as text.
  func print(_ answer: some Encodable, text: () -> String) throws {
    guard json else {
      let text = text()
      if !text.isEmpty { Swift.print(text) }
      return
    }
    Swift.print(String(decoding: try Self.encoded(answer), as: UTF8.self))
  }

  /// As JSON that also a person can read.
  static func encoded(_ answer: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return Data(escaped(String(decoding: try encoder.encode(answer), as: UTF8.self)).utf8)
  }

  /// JSON that a terminal shows as it is: what would be an order to it, or would turn the direction
  /// of a line, is written as a number.
  static func escaped(_ json: String) -> String {
    func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
    guard json.unicodeScalars.contains(where: isHarmful) else { return json }
    return json.unicodeScalars.reduce(into: "") { output, scalar in
      if isHarmful(scalar) {
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
  }
}

/// What a script is told of a failure.
struct FailureAnswer: Encodable {
  let what: String
  let advice: String
  let detail: String?

  init(_ message: PersonMessage) {
    what = message.what
    advice = message.advice
    detail = message.detail
  }
}

extension PersonMessage {
  /// In a line or two, for standard error.
  var text: String { detail.map { "\(what) \(advice)\n(\($0))" } ?? "\(what) \(advice)" }
}

/// Prints why a command could not do its work, and ends it with the status that tells a script.
func fail(_ error: any Error) -> ExitCode {
  if let code = error as? ExitCode { return code }
  let text = (error as? TerminalError)?.text ?? PersonMessage(explaining: error).text
  FileHandle.standardError.write(Data("argyle: \(text)\n".utf8))
  return ExitStatus(error).code
}
