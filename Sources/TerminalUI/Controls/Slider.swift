/// A control that chooses a number within bounds.
///
/// ```swift
/// Slider("Sogginess", value: $sock.sogginess, in: 0...10, step: 1)
/// ```
public struct Slider: View {
  private let title: String
  private let value: Binding<Double>
  private let bounds: ClosedRange<Double>
  private let step: Double
  @Environment(\.isPlain) private var isPlain
  @Environment(\.accessibilityValue) private var spokenValue

  /// How far from a whole number of steps a value counts as one, since tenths are not exact.
  private static let tolerance = 1e-9

  /// Creates a slider; the arrow keys move it by `step`, which defaults to a twentieth of the
  /// range.
  public init(
    _ title: String = "", value: Binding<Double>, in bounds: ClosedRange<Double> = 0...1,
    step: Double? = nil
  ) {
    self.title = title
    self.value = value
    self.bounds = bounds
    let length = bounds.upperBound - bounds.lowerBound
    self.step = step.flatMap { $0 > 0 ? $0 : nil } ?? length / 20
  }

  /// The title, a line with a knob, and the number.
  public var body: some View {
    Control(
      keys: [
        KeyBinding(keys: [.right, "+"], label: "more", footer: .first) { move(by: 1) },
        KeyBinding(keys: [.left, "-"], label: "less", footer: .first) { move(by: -1) },
        KeyBinding(keys: [.home], label: "least", footer: .never) { set(bounds.lowerBound) },
        KeyBinding(keys: [.end], label: "most", footer: .never) { set(bounds.upperBound) },
      ],
      pressed: { _ in }
    ) {
      HStack(spacing: 0) {
        // In too little room the line becomes shorter first, then the title.
        if !title.isEmpty {
          Text(isPlain ? title + ":" : title).lineLimit(1).padding(.trailing).layoutPriority(1)
        }
        if !isPlain { SliderLine(fraction: fraction, moveKnob: moveKnob).padding(.trailing) }
        Text(number).lineLimit(1).layoutPriority(2)
      }
    }
  }

  private var fraction: Double {
    let length = bounds.upperBound - bounds.lowerBound
    let fraction = length > 0 ? (value.wrappedValue - bounds.lowerBound) / length : 0
    return fraction.isFinite ? min(1, max(0, fraction)) : 0
  }

  private var number: String {
    if let spokenValue, isPlain { return spokenValue }
    if bounds == 0...1 { return "\(Int((fraction * 100).rounded())) %" }
    let value = value.wrappedValue
    guard value.isFinite else { return "–" }
    let tenths = (value * 10).rounded() / 10
    return tenths == tenths.rounded() && abs(tenths) < 1e15 ? "\(Int(tenths))" : "\(tenths)"
  }

  /// Moves from the current value, not from the drawn one, so that two steps between two frames add
  /// up.
  private func move(by steps: Double) {
    guard step > 0 else { return }
    value.modify { [bounds, step] in
      let from = $0.isFinite ? $0 : bounds.lowerBound
      // Counts whole steps from the lower bound: adding tenths repeatedly would drift.
      let exact = (from - bounds.lowerBound) / step
      let whole =
        steps > 0
        ? (exact + Self.tolerance).rounded(.down) : (exact - Self.tolerance).rounded(.up)
      let count = whole + steps
      $0 = min(bounds.upperBound, max(bounds.lowerBound, bounds.lowerBound + count * step))
    }
  }

  private func set(_ number: Double) { value.wrappedValue = number }

  private func moveKnob(to fraction: Double) {
    let exact = fraction * (bounds.upperBound - bounds.lowerBound)
    let steps = step > 0 ? (exact / step).rounded() * step : 0
    set(min(bounds.upperBound, bounds.lowerBound + steps))
  }
}

/// The line of a slider with its knob, which follows the mouse.
private struct SliderLine: PrimitiveView {
  let fraction: Double
  let moveKnob: @MainActor (Double) -> Void

  func makeNodes(_ context: ViewContext) -> [Node] {
    [
      LeafNode(
        context, size: { Size(width: min(20, $0.width ?? 20), height: 1) },
        drawing: draw)
    ]
  }

  private func draw(_ context: ViewContext, in region: Region) {
    let last = region.rect.width - 1
    guard last >= 0 else { return }
    let environment = context.environment
    let knob = Int((fraction * Double(last)).rounded())
    let text =
      String(repeating: "━", count: knob) + "●" + String(repeating: "─", count: last - knob)
    let line = StyledText(text, style: environment.style).truncated(width: last + 1)
    region.write(
      environment.redactionReasons.isEmpty ? line : line.placeholder(environment),
      at: region.rect.origin)
    // A line of one column has nowhere to move the knob to.
    guard last > 0 else { return }
    context.declarePointerRegion(region) { event in
      guard event.kind == .press || event.kind == .drag else { return false }
      moveKnob(Double(max(0, min(last, event.location.x))) / Double(last))
      return true
    }
  }
}

extension Slider {
  /// Creates a slider over whole numbers; the arrow keys move it by `step`, which defaults to a
  /// twentieth of the range, rounded, and at least 1.
  public init(
    _ title: String, value: Binding<Int>, in bounds: ClosedRange<Int>, step: Int? = nil
  ) {
    self.init(
      title,
      value: Binding(
        get: { Double(value.wrappedValue) },
        modify: { change in
          value.modify { number in
            var exact = Double(number)
            change(&exact)
            // The `Double` nearest to a large bound may be beyond it, and beyond every `Int`.
            number =
              exact >= Double(bounds.upperBound)
              ? bounds.upperBound
              : exact <= Double(bounds.lowerBound) ? bounds.lowerBound : Int(exact.rounded())
          }
        }), in: Double(bounds.lowerBound)...Double(bounds.upperBound),
      step: step.map(Double.init)
        ?? max(1, ((Double(bounds.upperBound) - Double(bounds.lowerBound)) / 20).rounded()))
  }
}
