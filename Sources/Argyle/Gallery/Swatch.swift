import Loading
import TerminalUI

/// A colour that is loaded.
struct Swatch: Hashable, Sendable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  var color: Color { Color(red: red, green: green, blue: blue) }

  /// `#7CC7E0`.
  var name: String {
    "#"
      + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      .joined()
  }

  /// Black or white, whichever is legible on the colour.
  var ink: Color {
    let light = 299 * Int(red) + 587 * Int(green) + 114 * Int(blue)
    return light > 128_000
      ? Color(red: 0x10, green: 0x14, blue: 0x18) : Color(red: 0xFF, green: 0xFF, blue: 0xFF)
  }

  /// Makes the colour that is `turn` times around the colour wheel, in muted tones.
  init(turn: Double) {
    func part(_ shift: Double) -> UInt8 {
      let angle = (turn + shift) - (turn + shift).rounded(.down)
      // A triangle wave: unlike a cosine, it is the same on every machine.
      let height = abs(angle * 2 - 1)
      return UInt8(70 + 160 * height)
    }
    (red, green, blue) = (part(0), part(1 / 3), part(2 / 3))
  }
}

extension Swatch {
  /// The failure of loading a colour.
  struct Missing: Error {}

  /// Loads the colour of a cell in 0.3 to 3 seconds; one load in six fails.
  ///
  /// The same seed gives the same loads, whatever else is loading.
  static func loader(cell: Int, seed: UInt64) -> Loader<Swatch> {
    let chance = SharedChance(seed: seed &+ UInt64(cell) &* 0x9E37_79B9)
    return Loader { context in
      let (time, luck) = (chance.next(), chance.next())
      try await context.clock.sleep(for: .milliseconds(Int(300 + 2700 * time)))
      if luck < 1 / 6 { throw Missing() }
      return Swatch(turn: Double(cell) / 60 + Double(seed % 997) / 997)
    }
  }
}
