public import Loading

/// That something is going on: a spinner with a title, or a bar where it is known how far it is.
public struct ProgressView: PrimitiveView {
  let title: String?
  let progress: LoadingProgress?

  /// A spinner, with a title beside it.
  public init(_ title: String? = nil) {
    self.title = title
    progress = nil
  }

  /// What is known of the progress: its message and percent, with a bar where there is a fraction.
  public init(_ progress: LoadingProgress?, title: String? = nil) {
    self.title = title
    self.progress = progress
  }

  /// How much of a total is done, with a title; a spinner while that is not known.
  public init(_ title: String? = nil, value: Double?, total: Double = 1) {
    self.init(
      value.map { LoadingProgress(fraction: total > 0 ? $0 / total : 0) }, title: title)
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
        if !environment.isStill { Spinner() }
        if let words { Text(words).lineLimit(1) }
        if !environment.isPlain { ProgressBar(fraction: fraction) }
        Text("\(percent) %")
      })
  }
}

extension EnvironmentValues {
  /// Whether what would move is a word.
  var isStill: Bool { reduceMotion || isPlain }
}

/// A glyph that turns, ten times a second; a word where motion is reduced.
public struct Spinner: PrimitiveView {
  let word: String

  /// A spinner, which is `word` where nothing is to move: "Loading" unless told otherwise.
  public init(_ word: String? = nil) { self.word = word ?? "Loading" }

  func makeNodes(_ context: ViewContext) -> [Node] {
    context.environment.isStill
      ? context.resolve(Text(word + "…").lineLimit(1)) : [SpinnerNode(context)]
  }
}

private final class SpinnerNode: Node {
  static let glyphs = Array(Glyphs("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"))

  override func measure(_ proposal: ProposedSize) -> Size { Size(width: 1, height: 1) }

  override func draw(in region: Region) {
    var style = environment.style
    style.foreground = environment.theme.accent
    let (origin, clip) = (region.rect.origin, region.clip)
    context.animate(region) { [style] now, cells in
      let glyph = Self.glyphs[TickGrid.index(now) % Self.glyphs.count]
      cells.put(glyph, at: origin, style: style, clip: clip)
    }
  }
}

/// A bar that fills from left to right.
struct ProgressBar: PrimitiveView {
  /// 0...1.
  let fraction: Double

  func makeNodes(_ context: ViewContext) -> [Node] { [BarNode(context, fraction)] }
}

private final class BarNode: Node {
  private let fraction: Double

  init(_ context: ViewContext, _ fraction: Double) {
    self.fraction = fraction
    super.init(context)
  }

  override func measure(_ proposal: ProposedSize) -> Size {
    Size(width: min(20, proposal.width ?? 20), height: 1)
  }

  override func draw(in region: Region) {
    let width = region.rect.width
    let eighths = Int((Double(width * 8) * min(1, max(0, fraction))).rounded(.down))
    let partial = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    var style = environment.style
    style.foreground = environment.theme.accent
    let full = String(repeating: "█", count: eighths / 8) + partial
    let filled = region.write(full, style: style)
    style.foreground = environment.theme.separator
    region.write(
      String(repeating: "░", count: max(0, width - filled)), x: filled, style: style)
  }
}
