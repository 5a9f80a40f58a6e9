import Socks
import TerminalUI

/// The sogginess of a sock, as a bar and a number.
struct SogginessBar: View {
  let sogginess: Int
  @Environment(\.isPlain) private var isPlain

  private static let length = 10

  var body: some View {
    HStack {
      if !isPlain {
        Text(String(repeating: "▰", count: full)).foregroundStyle(\.accent)
          + Text(String(repeating: "▱", count: Self.length - full)).foregroundStyle(\.separator)
      }
      SogginessNumber(sogginess: sogginess)
    }
  }

  // A bar is empty only at 0 and full only at 100.
  private var full: Int {
    switch sogginess {
    case ...0: 0
    case 100...: Self.length
    default: min(Self.length - 1, max(1, (sogginess * Self.length + 50) / 100))
    }
  }
}

/// The sogginess of a sock, as a number.
struct SogginessNumber: View {
  let sogginess: Int

  var body: some View {
    Text("\(sogginess)").frame(width: 3, alignment: .trailing)
  }
}

enum Sogginess {
  /// How much a key changes the sogginess.
  static let step = 5

  /// Returns the next multiple of the step up or down, as a slider does.
  static func stepped(_ sogginess: Int, by steps: Int) -> Int {
    let range = Sock.sogginessRange
    let count = (steps > 0 ? sogginess : sogginess + step - 1) / step + steps
    return min(range.upperBound, max(range.lowerBound, count * step))
  }
}
