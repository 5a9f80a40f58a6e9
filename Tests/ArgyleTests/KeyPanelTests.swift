import TerminalUI
import Testing

@testable import Argyle
@testable import TerminalUI

/// Tests of the list of keys on the screens of the program.
@MainActor
@Suite struct KeyPanelTests {
  @Test(arguments: [Size(width: 80, height: 24), Size(width: 140, height: 50)])
  func `no screen lists a key twice for the same`(size: Size) throws {
    for scene in Scene.all {
      let still = Still(scene, size.width, size.height)
      defer { still.end() }
      still.play(scene.keys)
      still.run(to: scene.moment)
      check(still.frame, scene.name)
      guard scene.name == "catalog" else { continue }
      for _ in CatalogPage.all {
        for _ in 0..<5 {
          check(still.frame, still.lines[1])
          still.play(try KeyScript("tab"))
        }
        still.play(try KeyScript("n"))
      }
    }
  }

  private func check(_ frame: Frame, _ name: String) {
    let groups = KeysInForce(
      frame.declarations, layer: frame.layer, focus: frame.focus, after: nil
    ).groups
    let titles = groups.map(\.title)
    #expect(Set(titles).count == titles.count, "\(name): \(titles)")
    for group in groups {
      let keys = group.keys.flatMap(\.keys)
      #expect(Set(keys).count == keys.count, "\(name): \(group.title)")
    }
    let all = groups.flatMap(\.keys).flatMap { key in key.keys.map { "\($0) \(key.label)" } }
    let twice = Dictionary(grouping: all) { $0 }.filter { $0.value.count > 1 }.keys
    #expect(twice.isEmpty, "\(name): \(twice.sorted())")
  }
}
