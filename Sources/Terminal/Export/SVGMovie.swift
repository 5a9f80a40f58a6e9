extension SVGExporter {
  /// Returns an animated picture that repeats frames, each with the time at which it appears.
  ///
  /// A row that looks the same at several times is drawn once, and a style shows it at those times,
  /// so a movie is hardly larger than its distinct rows. Frames of another size than the first one
  /// are left out. Without frames, the result is empty.
  public func string(
    fromMoving frames: [(time: Duration, cells: CellBuffer)], until end: Duration
  ) -> String {
    guard let size = frames.first?.cells.size else { return "" }
    let frames = frames.filter { $0.cells.size == size }
    let length = max(end, frames.last?.time ?? .zero)
    var shows = Shows(length: length)
    var body: [String] = []
    for y in 0..<size.height {
      for (row, spans) in Self.rows(y, of: frames, until: length) {
        let cells = CellBuffer(row: row[...])
        let drawing =
          SVGBackgrounds(cells, theme: theme).elements
          + SVGRow(cells.row(0), y: 0, theme: theme).elements
        guard !drawing.isEmpty else { continue }
        body.append(
          "<g transform=\"translate(0 \(y * Self.cellHeight))\"\(shows.attribute(of: spans))>")
        body += drawing
        body.append("</g>")
      }
    }
    return document(of: size, style: shows.style, body: body)
  }

  /// Returns the distinct contents of a row, each with the spans of time in which it is shown, in
  /// the order of appearance.
  private static func rows(
    _ y: Int, of frames: [(time: Duration, cells: CellBuffer)], until end: Duration
  ) -> [(row: [Cell], spans: [Range<Duration>])] {
    var rows: [(row: [Cell], spans: [Range<Duration>])] = []
    for (index, frame) in frames.enumerated() {
      let next = index + 1 < frames.count ? frames[index + 1].time : end
      guard next > frame.time || frames.count == 1 else { continue }
      let row = Array(frame.cells.row(y))
      let place = rows.firstIndex { $0.row == row } ?? rows.count
      if place == rows.count { rows.append((row, [])) }
      if let last = rows[place].spans.last, last.upperBound == frame.time {
        rows[place].spans[rows[place].spans.count - 1] = last.lowerBound..<next
      } else {
        rows[place].spans.append(frame.time..<next)
      }
    }
    return rows
  }
}

/// The styles that show an element only at some times.
private struct Shows {
  let length: Duration
  private var names: [[Range<Duration>]: String] = [:]
  private var rules: [String] = []

  init(length: Duration) { self.length = length }

  var style: String { rules.joined() }

  /// Returns the attribute that shows an element in these spans; empty if it is always shown.
  mutating func attribute(of spans: [Range<Duration>]) -> String {
    guard spans != [.zero..<length] else { return "" }
    if let name = names[spans] { return " class=\"\(name)\"" }
    let name = "s\(names.count)"
    names[spans] = name
    var steps = spans.first?.lowerBound == .zero ? "" : "0%{visibility:hidden}"
    for span in spans {
      steps += "\(percent(span.lowerBound)){visibility:visible}"
      if span.upperBound < length { steps += "\(percent(span.upperBound)){visibility:hidden}" }
    }
    rules.append(
      "@keyframes \(name){\(steps)}.\(name){animation:\(name) \(length.seconds)s step-end infinite}"
    )
    return " class=\"\(name)\""
  }

  private func percent(_ time: Duration) -> String {
    (Double(Int(time / length * 100_000)) / 1000).short + "%"
  }
}
