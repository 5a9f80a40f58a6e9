@testable import Terminal

/// However a terminal's bytes are cut into reads they mean the same, and silence ends everything.
func fuzzKeys(_ bytes: [UInt8]) -> Int32 {
  var decoder = InputDecoder()
  var events: [InputEvent] = []
  decoder.decode(bytes, into: &events)

  var cut = InputDecoder()
  var cutEvents: [InputEvent] = []
  for byte in bytes { cut.decode(CollectionOfOne(byte), into: &cutEvents) }
  precondition(events == cutEvents, "read otherwise in pieces")

  // Silence wherever the bytes say so.
  var paused = InputDecoder()
  var pausedEvents: [InputEvent] = []
  for byte in bytes {
    paused.decode(CollectionOfOne(byte), into: &pausedEvents)
    if byte.isMultiple(of: 3) { paused.flush(into: &pausedEvents) }
  }
  // A byte is a key at most, and an Esc before it may be one more.
  precondition(max(events.count, pausedEvents.count) <= 2 * bytes.count)
  for case .key(let key) in events + pausedEvents {
    guard case .character(let character) = key.key else { continue }
    precondition(character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
  }
  for case .mouse(let event) in events {
    precondition(event.location.x >= 0 && event.location.y >= 0)
  }

  // Whatever came before, the next key is that key.
  decoder.decode(CollectionOfOne(0x0D), into: &events)
  decoder.flush(into: &events)
  events = []
  decoder.decode(CollectionOfOne(0x6B), into: &events)
  precondition(events == [.key("k")], "a key that is lost")
  return 0
}
