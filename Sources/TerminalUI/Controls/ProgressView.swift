public import Loading

/// A sign that something is in progress: a spinner with a title, and a bar if the fraction is known.
public struct ProgressView: PrimitiveView {
  let title: String?
  let progress: LoadingProgress?
  // A value alone does not say whether anything is still going on.
  private var hasSpinner = true

  /// Creates a spinner with an optional title.
  public init(_ title: String? = nil) {
    self.title = title
    progress = nil
  }

  /// Creates a view of the given progress: its message and percentage, and a bar if it has a
  /// fraction.
  public init(_ progress: LoadingProgress?, title: String? = nil) {
    self.title = title
    self.progress = progress
  }

  /// Creates a bar that shows how much of a total is done; a spinner while `value` is nil.
  public init(_ title: String? = nil, value: Double?, total: Double = 1) {
    self.init(
      value.map { LoadingProgress(fraction: total > 0 ? $0 / total : 0) }, title: title)
    hasSpinner = false
  }

  func makeNodes(_ context: ViewContext) -> [Node] {
    let environment = context.environment
    let words = progress?.message ?? title ?? environment.accessibilityLabel
    guard let fraction = progress?.fraction, let percent = progress?.percent else {
      if environment.isStill { return context.resolve(Spinner(words)) }
      return context.resolve(
        HStack {
          Spinner()
          if let words = progress?.message ?? title { Text(words).lineLimit(1) }
        })
    }
    return context.resolve(
      HStack {
        // Where room is short, the bar shrinks before a word is cut.
        if hasSpinner, !environment.isStill { Spinner().layoutPriority(2) }
        if let words { Text(words).lineLimit(1).layoutPriority(1) }
        if !environment.isPlain { ProgressBar(fraction: fraction) }
        Text("\(percent) %").lineLimit(1).layoutPriority(2)
      })
  }
}

extension EnvironmentValues {
  /// Whether a word is shown in place of anything that would move.
  var isStill: Bool { reduceMotion || isPlain }
}

/// A turning glyph, drawn again ten times a second; a word in plain mode or if motion is reduced.
public struct Spinner: PrimitiveView {
  let word: String
  private static let glyphs = Array(Glyphs("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"))

  /// Creates a spinner; `word`, by default "Loading", replaces it where nothing may move.
  public init(_ word: String? = nil) { self.word = word ?? "Loading" }

  func makeNodes(_ context: ViewContext) -> [Node] {
    if context.environment.isStill { return context.resolve(Text(word + "…").lineLimit(1)) }
    let size = Size(width: 1, height: 1)
    return [
      LeafNode(context, size: { _ in size }) { context, region in
        var style = context.environment.style
        style.foreground = context.environment.theme.accent
        let (origin, clip) = (region.rect.origin, region.clip)
        context.animate(region) { [style] now, cells in
          let glyph = Self.glyphs[TickGrid.index(now) % Self.glyphs.count]
          cells.put(glyph, at: origin, style: style, clip: clip)
        }
      }
    ]
  }
}

/// A bar that fills from left to right.
struct ProgressBar: PrimitiveView {
  /// The filled part, 0...1.
  let fraction: Double

  func makeNodes(_ context: ViewContext) -> [Node] {
    [
      LeafNode(
        context, size: { Size(width: min(20, $0.width ?? 20), height: 1) }
      ) { context, region in
        let width = region.rect.width
        let eighths = Int((Double(width * 8) * min(1, max(0, fraction))).rounded(.down))
        let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
        var style = context.environment.style
        style.foreground = context.environment.theme.accent
        let full = String(repeating: "█", count: eighths / 8) + partial
        let filled = region.write(full, style: style)
        style.foreground = context.environment.theme.separator
        region.write(
          String(repeating: "░", count: max(0, width - filled)), x: filled, style: style)
      }
    ]
  }
}
