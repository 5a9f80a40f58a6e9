/// Exports frames as an asciinema recording in version 2 of its format.
///
/// The same frames always give the same bytes.
public struct CastExporter: Sendable {
  /// The title of the recording.
  public var title: String

  /// Creates an exporter of recordings with this title.
  public init(title: String = "") { self.title = title }

  /// Returns the recording of frames, each with the time at which it appears; empty without frames.
  ///
  /// A frame of another size resizes the terminal of the recording.
  public func string(from frames: [(time: Duration, cells: CellBuffer)]) -> String {
    guard let first = frames.first?.cells.size else { return "" }
    var lines = [
      """
      {"version": 2, "width": \(first.width), "height": \(first.height), \
      "title": \(Self.quoted(title))}
      """
    ]
    var size = first
    for (time, cells) in frames {
      if cells.size != size {
        size = cells.size
        lines.append("[\(time.seconds), \"r\", \"\(size.width)x\(size.height)\"]")
      }
      let rows = ANSIExporter().string(from: cells).split(
        separator: "\n", omittingEmptySubsequences: false)
      // Rows are positioned one by one, because a line break after the last one would scroll the
      // screen.
      let text = rows.enumerated().map {
        "\u{1B}[\($0.offset + 1);1H\u{1B}[0m\u{1B}[K\($0.element)"
      }
      lines.append(
        "[\(time.seconds), \"o\", \(Self.quoted("\u{1B}[?25l" + text.joined()))]")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a text as a JSON string.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension Duration {
  /// Seconds with up to three decimals and no trailing zeros, such as `1.25`.
  var seconds: String { (Double(Int(self / .milliseconds(1))) / 1000).short }
}
