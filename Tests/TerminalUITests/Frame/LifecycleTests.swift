import Synchronization
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of what begins and ends when a view appears and disappears.
@MainActor
@Suite struct LifecycleTests {
  let model = Model()

  @Test func `it appears once, and disappears when it leaves`() {
    var log: [String] = []
    let stage = Stage(10, 2) { [model] in
      VStack {
        Text(model.text)
        if model.flag {
          Text("x").onAppear { log.append("appear") }.onDisappear { log.append("disappear") }
        }
      }
    }
    model.text = "again"
    stage.settle()
    #expect(log == ["appear"])
    model.flag = false
    stage.settle()
    #expect(log == ["appear", "disappear"])
    model.flag = true
    stage.settle()
    #expect(log == ["appear", "disappear", "appear"])
  }

  @Test func `what is scrolled away is not on the screen`() {
    var log: [Int] = []
    let stage = Stage(10, 2) {
      ScrollView {
        VStack {
          ForEach(0..<4) { index in
            ZStack { Text("\(index)").padding(0).onAppear { log.append(index) } }
          }
        }
      }
    }
    #expect(log == [0, 1])
    stage.press("j")
    #expect(log == [0, 1, 2])
  }

  @Test func `what has no size appears where its spot is on the screen`() {
    var log: [String] = []
    let stage = Stage(10, 1) {
      VStack(alignment: .leading) {
        Text("").frame(height: 0).onAppear { log.append("empty") }
        Text("x").frame(height: 1)
        Text("").frame(height: 0).onAppear { log.append("at the end") }
      }
    }
    #expect(stage.text == "x")
    #expect(log == ["empty", "at the end"])
  }

  @Test func `what has no size does not appear where it is scrolled away`() {
    var log: [String] = []
    let stage = Stage(10, 2) {
      ScrollView {
        VStack {
          Text("one\ntwo\nthree")
          Text("").frame(height: 0).onAppear { log.append("empty") }
        }
      }
    }
    #expect(log.isEmpty)
    stage.press("j")
    #expect(log == ["empty"])
  }

  @Test func `what has no size appears below a list that takes all the room`() {
    struct Item: Identifiable { let id: Int }
    var log: [String] = []
    let stage = Stage(10, 3) {
      VStack {
        List((0..<9).map(Item.init)) { Text("\($0.id)") }
        Text("").frame(height: 0).onAppear { log.append("empty") }
      }
    }
    #expect(stage.rows == "0\n1\n2")
    #expect(log == ["empty"])
  }

  @Test func `a change is told with the old and the new value`() {
    var log: [String] = []
    let stage = Stage(10, 1) { [model] in
      Text(model.text)
        .onChange(of: model.text) { log.append("\($0)→\($1)") }
        .onChange(of: model.ids.count, initial: true) { log.append("\($0)→\($1)") }
    }
    #expect(log == ["3→3"])
    model.text = "a"
    stage.settle()
    model.flag = false
    stage.settle()
    #expect(log == ["3→3", "→a"])
  }

  @Test func `a task starts again for a new id and for a new appearance only`() async {
    let (starts, started) = AsyncStream<Int>.makeStream()
    let (ends, ended) = AsyncStream<Int>.makeStream()
    let stage = Stage(10, 1) { [model] in
      if model.flag {
        Text(model.text).task(id: model.ids.count) { [count = model.ids.count] in
          started.yield(count)
          let (never, _) = AsyncStream<Void>.makeStream()
          for await _ in never {}
          ended.yield(count)
        }
      }
    }
    var start = starts.makeAsyncIterator()
    var end = ends.makeAsyncIterator()
    #expect(await start.next() == 3)
    model.text = "redrawn"
    stage.settle()
    model.ids = [1]
    stage.settle()
    #expect(await end.next() == 3)
    #expect(await start.next() == 1)
    model.flag = false
    stage.settle()
    #expect(await end.next() == 1)
    model.flag = true
    stage.settle()
    #expect(await start.next() == 1)
    stage.host.end()
    #expect(await end.next() == 1)
  }

  @Test func `one change calls once, also after a thousand redraws`() {
    let stage = Stage(10, 1) { [model] in Text(model.text) }
    for _ in 0..<1000 { _ = stage.host.frame(size: stage.size) }
    let calls = Mutex(0)
    stage.host.invalidation.onSet { [invalidation = stage.host.invalidation] in
      calls.withLock { $0 += 1 }
      // Marked as current again, so that a second registration would be noticed, too.
      _ = invalidation.take()
    }
    model.text = "changed"
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func `the first view of its type to read a model follows it until it is gone`() {
    struct First: View {
      let model: Model
      var body: some View { Text(model.text) }
    }
    let stage = Stage(10, 1) { [model] in
      if model.flag { First(model: model) }
    }
    for text in ["one", "two"] {
      model.text = text
      stage.settle()
      #expect(stage.text == text)
    }
    model.flag = false
    stage.settle()
    model.text = "three"
    #expect(!stage.host.needsFrame)
  }

  private struct Item: Identifiable {
    let id: Int
  }

  @Test func `moving a selection leaves nothing behind that a change has to end`() {
    let stage = Stage(10, 5) { [model] in
      List((0..<5).map(Item.init), selection: Binding(model, \.item)) { Text("row \($0.id)") }
    }
    stage.settle()
    for _ in 0..<200 { stage.press("j", "k") }
    let calls = Mutex(0)
    stage.host.invalidation.onSet { [invalidation = stage.host.invalidation] in
      calls.withLock { $0 += 1 }
      _ = invalidation.take()
    }
    model.item = 3
    // One each for the frame, the latest move, and drawing it.
    #expect(calls.withLock { $0 } <= 3)
  }

  @Test func `a list out of sight reads nothing, however often the focus moves elsewhere`() {
    model.flag = false
    let stage = Stage(20, 6) { [model] in
      TabView(selection: Binding(model, \.flag)) {
        Tab("List", value: false) {
          List((0..<5).map(Item.init), selection: Binding(model, \.item)) { Text("row \($0.id)") }
        }
        Tab("Words", value: true) {
          VStack {
            Text("one").focusable()
            Text("two").focusable()
          }
        }
      }
    }
    stage.press("2")
    for _ in 0..<200 { stage.press(.tab) }
    #expect(stage.text.contains("two"))
    let calls = Mutex(0)
    stage.host.invalidation.onSet { [invalidation = stage.host.invalidation] in
      calls.withLock { $0 += 1 }
      _ = invalidation.take()
    }
    model.item = 3
    #expect(calls.withLock { $0 } <= 3)
    stage.host.invalidation.onSet(nil)
    model.item = 2
    stage.press("1", .down)
    #expect(model.item == 3)
  }
}
