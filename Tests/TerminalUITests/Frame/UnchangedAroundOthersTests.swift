import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of views that are equal to the previous ones and have others in them, which may change.
@MainActor
@Suite struct UnchangedAroundOthersTests {
  private typealias Model = UnchangedViewTests.Model
  private typealias Row = UnchangedViewTests.Row
  private typealias Same = UnchangedViewTests.Same

  @Test func `what another one in it has read rebuilds it`() {
    let model = Model()
    let stage = Stage(20, 3) {
      Same {
        Text(model.title)
        Same {
          Text(model.suffix)
          Row(model: model, id: 0)
        }
      }
    }
    for step in 0..<3 {
      // First only the views around the others are rebuilt; after that, the content of the others
      // changes.
      model.title = "title \(step)"
      stage.settle()
      model.made = []
      model.names[0] = "name \(step)"
      #expect(stage.host.needsFrame)
      stage.settle()
      #expect(stage.text == "title \(step)\n\nname \(step)")
      #expect(model.made == [0])
      #expect(!stage.host.needsFrame)
      model.suffix = "suffix \(step)"
      stage.settle()
      model.names[0] = "again"
      stage.settle()
      #expect(stage.text == "title \(step)\nsuffix \(step)\nagain")
      model.suffix = ""
      stage.settle()
    }
  }

  @Test func `several views, or none, are laid out by who is around them`() {
    let model = Model()
    let stage = Stage(20, 1) {
      HStack(spacing: 1) {
        Text("a")
        Same { if let name = model.names[0] { Text(name) } }
        Same {
          Text(model.title)
          Text("c")
        }
      }
    }
    #expect(stage.text == "a Title c")
    for name in ["b", "bb", nil, "b"] {
      model.names[0] = name
      #expect(stage.host.needsFrame)
      stage.settle()
      #expect(stage.text == ["a", name, "Title", "c"].compactMap(\.self).joined(separator: " "))
    }
    model.title = "t"
    stage.settle()
    #expect(stage.text == "a b t c")
    #expect(!stage.host.needsFrame)
  }

  @Test func `what is around several views, or none, is rebuilt only when something changes`() {
    let model = Model()
    let stage = Stage(20, 2) {
      Text(model.title)
      Same {
        model.made.append(0)
        return HStack {
          Text("Name")
          Same { if let name = model.names[0] { Text(name) } }
        }
      }
    }
    model.made = []
    for title in ["one", "two"] {
      model.title = title
      stage.settle()
    }
    #expect(model.made == [])
    model.names[0] = "name"
    stage.settle()
    #expect(stage.text == "two\nName name")
    #expect(model.made == [0])
  }
}
