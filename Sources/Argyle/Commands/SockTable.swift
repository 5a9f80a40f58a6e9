import Socks
import Terminal

/// Formats socks as lines of text, in columns that stay aligned with wide characters too.
struct SockTable {
  private let rows: [[String]]

  init(_ socks: [Sock]) {
    let header =
      ["ID", "SOGGY", "NAME"] + SockField.traits.map { $0.rawValue.uppercased() } + ["PAIR"]
    rows =
      [header]
      + socks.map { sock in
        [short(sock.id), "\(sock.sogginess)", printable(sock.name)]
          + SockField.traits.map { printable(sock[$0].text) } + [sock.pair.map(short) ?? ""]
      }
  }

  /// The lines; empty if there are no socks.
  var text: String {
    guard rows.count > 1 else { return "" }
    let measured = rows.map { row in row.map { columns(of: $0) } }
    let widths = rows[0].indices.map { column in measured.map { $0[column] }.max() ?? 0 }
    return zip(rows, measured).map { row, columns in
      var line = ""
      for (index, cell) in row.enumerated() {
        let space = String(repeating: " ", count: widths[index] - columns[index])
        // Numbers are aligned at the right.
        line += (index == 1 ? space + cell : cell + space) + "  "
      }
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

/// Returns the start of an ID, long enough to be unique unless there are very many socks.
private func short(_ id: Sock.ID) -> String { String(id.uuidString.prefix(8)) }

extension Sock {
  /// The name of the sock and its short ID, for use in a sentence.
  var title: String { "“\(printable(name))” (\(short(id)))" }

  /// Returns all fields of the sock, one per line.
  func lines(other: Sock?) -> String {
    var facts = [("id", id.uuidString), ("sogginess", "\(sogginess)")]
    facts += SockField.traits.map { ($0.rawValue, printable(self[$0].text)) }
    facts += [("picture", printable(picture?.text ?? "none")), ("pair", other?.title ?? "none")]
    var lines = [printable(name)]
    lines += facts.map { name, value in
      name + String(repeating: " ", count: max(1, 11 - name.count)) + value
    }
    for line in notes.split(whereSeparator: \.isNewline) {
      lines.append("  " + printable(String(line)))
    }
    return lines.joined(separator: "\n")
  }
}
