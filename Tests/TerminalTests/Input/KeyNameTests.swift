import Testing

@testable import Terminal

/// Keys as they are written down.
@Suite struct KeyNameTests {
  @Test(arguments: [
    ("j", "j" as KeyPress), ("J", "J"), ("?", "?"), ("-", "-"), ("enter", .enter), ("esc", .escape),
    ("Space", .space), ("pgdn", .pageDown), ("f5", KeyPress(.function(5))), ("backtab", .backTab),
    ("ctrl-d", .control("d")), ("Ctrl-N", .control("n")), ("ctrl--", .control("-")),
    ("alt-left", KeyPress(.left, modifiers: .alt)),
    ("ctrl-alt-x", KeyPress(.character("x"), modifiers: [.control, .alt])),
  ])
  func `a name is a key`(name: String, key: KeyPress) {
    #expect(KeyPress(named: name) == key)
  }

  @Test(arguments: ["", "f0", "f21", "ctrl-", "hyper-x", "enterr", "jj"])
  func `anything else is none`(name: String) {
    #expect(KeyPress(named: name) == nil)
  }

  @Test func `every key has a name that is read as the same key`() {
    let plain =
      KeyPress.names.map(\.key) + ["a", "Z", "é", "-", "+", "日"].map { KeyPress(.character($0)) }
      + (1...20).map { KeyPress(.function($0)) }
    let modifiers: [KeyPress.Modifiers] = [[], .control, .alt, [.control, .alt], .shift]
    for key in plain {
      for modifier in modifiers where modifier != .shift || key.key == .left {
        // No terminal tells a capital letter from a small one with Ctrl.
        if modifier.contains(.control), key == "Z" { continue }
        let key = KeyPress(key.key, modifiers: key.modifiers.union(modifier))
        #expect(KeyPress(named: key.name) == key, "\(key.name)")
      }
    }
  }
}
