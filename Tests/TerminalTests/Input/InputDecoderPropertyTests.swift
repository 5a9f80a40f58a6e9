import PseudoTerminal
import Testing

@testable import Terminal

@Suite struct InputDecoderPropertyTests {
  /// Pieces of sequences, whole ones and noise: most random bytes would not get past the first Esc.
  private func randomInput(using generator: inout SeededGenerator) -> [UInt8] {
    let pieces = [
      "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}[1;5A", "\u{1B}[<0;10;20M", "\u{1B}[M !!", "\u{1B}]",
      "\u{1B}P", "\u{1B}\\", "\u{7}", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}[27;5;97~", "\u{1B}[[A",
      "~", ";", ":3", "1", "A", "$", "é字🙂", "\r", "\u{3}", "\u{18}",
    ]
    return (0..<Int.random(in: 1...30, using: &generator)).flatMap { _ -> [UInt8] in
      guard Int.random(in: 0..<3, using: &generator) > 0,
        let piece = pieces.randomElement(using: &generator)
      else { return [UInt8.random(in: 0...255, using: &generator)] }
      return Array(piece.utf8)
    }
  }

  @Test(arguments: 0..<400)
  func `how the bytes are cut into reads makes no difference`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    let input = randomInput(using: &generator)
    var whole = InputDecoder()
    var expected: [InputEvent] = []
    whole.decode(input, into: &expected)

    var cut = InputDecoder()
    var events: [InputEvent] = []
    var rest = input[...]
    while !rest.isEmpty {
      let count = Int.random(in: 1...rest.count, using: &generator)
      cut.decode(rest.prefix(count), into: &events)
      rest = rest.dropFirst(count)
    }
    #expect(events == expected)
    #expect(cut.decisivePause == whole.decisivePause)
  }

  @Test(arguments: 0..<400)
  func `no input makes a control character a key, or traps`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    for _ in 0..<20 {
      decoder.decode(randomInput(using: &generator), into: &events)
      if Bool.random(using: &generator) { decoder.flush(into: &events) }
    }
    for case .key(let key) in events {
      guard case .character(let character) = key.key else { continue }
      #expect(character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
  }

  @Test(arguments: 0..<100)
  func `after silence and the end of a paste a key is that key`(seed: Int) {
    var generator = SeededGenerator(seed: UInt64(seed))
    var decoder = InputDecoder()
    var events: [InputEvent] = []
    decoder.decode(randomInput(using: &generator), into: &events)
    // A sequence with parameters waits for its end, which this is.
    decoder.decode([0x0D], into: &events)
    decoder.flush(into: &events)
    events = []
    decoder.decode([0x6B], into: &events)
    #expect(events == [.key("k")])
  }
}
