extension Collection<Double> {
  /// The middle one; NaN of nothing.
  var median: Double { quantile(0.5) }

  /// The value below which `fraction` of them lie, by the nearest rank; NaN of nothing.
  func quantile(_ fraction: Double) -> Double {
    guard !isEmpty else { return .nan }
    let sorted = self.sorted()
    let rank = Int((fraction * Double(sorted.count)).rounded(.up)) - 1
    return sorted[Swift.min(Swift.max(rank, 0), sorted.count - 1)]
  }
}

/// A number for a reader: three digits, and a unit that suits it.
enum Unit {
  case seconds, perSecond, bytes, count
  /// How many times as much as the contender that it is compared with.
  case ratio

  func text(_ value: Double) -> String {
    guard value.isFinite else { return "-" }
    return switch self {
    case .seconds:
      Self.scaled(value, [(1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")])
    case .perSecond: Self.scaled(value, [(1e6, "M/s"), (1e3, "k/s"), (1, "/s")])
    case .bytes:
      value < 10_000 ? "\(Self.digits(value)) B" : Self.scaled(value, [(1e6, "MB"), (1e3, "kB")])
    case .count: Self.digits(value)
    case .ratio: value.formatted(decimals: 2)
    }
  }

  private static func scaled(_ value: Double, _ units: [(size: Double, name: String)]) -> String {
    if value == 0 { return "0" }
    let unit = units.first { value >= $0.size } ?? units[units.count - 1]
    return "\(digits(value / unit.size)) \(unit.name)"
  }

  /// Whole numbers as they are; else as many decimals as make three digits.
  private static func digits(_ value: Double) -> String {
    if value == value.rounded(), abs(value) < 1e7 { return String(Int(value)) }
    let decimals = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : 2
    return value.formatted(decimals: decimals)
  }
}

extension Double {
  func formatted(decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((magnitude * scale).rounded())
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(scaled)" }
    let fraction = String(scaled % Int(scale))
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(sign)\(scaled / Int(scale)).\(zeros)\(fraction)"
  }
}
