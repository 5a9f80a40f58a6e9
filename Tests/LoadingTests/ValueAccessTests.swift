import Loading
import LoadingTesting
import Testing

@MainActor
@Suite(.leavesNothingBehind) struct ValueAccessTests {
  struct Item: Identifiable, Hashable, Sendable {
    let id: Int
    var count = 0
    var name = ""
  }

  let runtime = ManualRuntime()
  let saves = ManualCalls<Item, Void>()

  func items() -> Resource<[Item]> {
    runtime.resource(initialState: .loaded([Item(id: 1), Item(id: 2)]))
  }

  func item(_ id: Int, of items: Resource<[Item]>) throws -> ValueAccess<Item> {
    let item = items.access(id: id) { [saves] in try await saves.call($0) }
    return try #require(item)
  }

  @Test func `changes of a member compose and send the new value`() throws {
    let items = items()
    let item = try item(2, of: items)
    item.count.modify { $0 += 1 }
    item.count.modify { $0 += 1 }
    item.count.modify { $0 += 1 }
    #expect(item.count.value == 3)
    runtime.run()
    saves[0].succeed()
    runtime.run()
    saves[1].succeed()
    runtime.run()
    #expect(saves.inputs.map(\.count) == [1, 3])
    #expect(items.latestValue == [Item(id: 1), Item(id: 2, count: 3)])
  }

  @Test func `a change wipes out no other one`() throws {
    let items = items()
    let item = try item(2, of: items)
    item.count.modify { $0 = 5 }
    item.name.modify { $0 = "x" }
    runtime.run()
    saves[0].fail(Broken())
    runtime.run()
    #expect(item.value == Item(id: 2, count: 0, name: "x"))
    saves.end()
    runtime.run()
  }

  @Test func `an element is addressed by its id, wherever it moves`() throws {
    let items = items()
    let item = try item(2, of: items)
    items.set(.loaded([Item(id: 2), Item(id: 3), Item(id: 1)]))
    item.count.modify { $0 += 1 }
    #expect(items.latestValue?.map(\.count) == [1, 0, 0])
    runtime.run()
    saves[0].succeed()
    runtime.run()
  }

  @Test func `when the value is gone it reads as the last one and writes do nothing`() throws {
    let items = items()
    let item = try item(2, of: items)
    item.name.modify { $0 = "last" }
    #expect(item.name.value == "last")
    runtime.run()
    saves[0].succeed()
    runtime.run()
    items.set(.loaded([Item(id: 1)]))
    #expect(item.name.value == "last")
    #expect(item.name.modify({ $0 = "lost" }) == nil)
    items.reset()
    #expect(item.name.value == "last")
    #expect(item.name.modify({ $0 = "lost" }) == nil)
    #expect(!items.hasPendingMutations)
  }

  @Test func `there is no access to a value that is not there`() {
    let resource = runtime.resource(initialState: LoadingState<[Item]>.idle)
    let missing = resource.access { _ in }
    #expect(missing == nil)
    let none = items().access(id: 7) { _ in }
    #expect(none == nil)
  }
}
