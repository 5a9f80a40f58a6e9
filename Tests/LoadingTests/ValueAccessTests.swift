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
    let item = items.access(id: id) { [saves] in try await saves.call($0.value) }
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

  @Test func `a change does not overwrite another one`() throws {
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

  @Test func `when the value is gone, the last one is read and changes do nothing`() throws {
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

  struct Pair: Identifiable, Sendable {
    let id: String
    var left = Item(id: 1)
    var right = Item(id: 2)
    var others: [Item] = [Item(id: 3)]
  }

  @Test func `a commit knows which part was changed`() throws {
    let pair = runtime.resource(initialState: .loaded(Pair(id: "striped")))
    let changes = ManualCalls<ValueAccess<Pair>.Change, Void>()
    let access = try #require(pair.access { try await changes.call($0) })
    /// Whether the change that was made as number `index` is within `left`, `left.count`,
    /// `left.name`, `right` and `others`.
    func places(_ index: Int) -> [Bool] {
      runtime.run()
      let change = changes[index].input
      changes[index].succeed()
      runtime.run()
      return [
        change.isWithin(\.left), change.isWithin(\.left.count), change.isWithin(\.left.name),
        change.isWithin(\.right), change.isWithin(\.others),
      ]
    }
    access.left.count.modify { $0 = 7 }
    #expect(places(0) == [true, true, false, false, false])
    #expect(changes[0].input.value.left.count == 7)
    access.left.modify { $0.count += 1 }
    #expect(places(1) == [true, false, false, false, false])
    access.others[id: 3]?.name.modify { $0 = "x" }
    #expect(places(2) == [false, false, false, false, true])
    #expect(
      changes[2].input.path
        == [
          MutationKey(\Pair.others as WritableKeyPath & Sendable), MutationKey(3),
          MutationKey(\Item.name as WritableKeyPath & Sendable),
        ])
    access.modify { $0.right.count = 9 }
    #expect(places(3) == [false, false, false, false, false])
    #expect(changes[3].input.path.isEmpty)
  }

  @Test func `the commit of an element knows which of its members was changed`() throws {
    let items = items()
    let changes = ManualCalls<ValueAccess<Item>.Change, Void>()
    let item = try #require(items.access(id: 2) { try await changes.call($0) })
    item.name.modify { $0 = "x" }
    runtime.run()
    #expect(changes[0].input.isWithin(\.name))
    #expect(!changes[0].input.isWithin(\.count))
    changes[0].succeed()
    runtime.run()
  }

  @Test func `a change belongs to the item that it changes`() throws {
    let pair = runtime.resource(initialState: .loaded(Pair(id: "striped")))
    let commits = ManualCalls<Void, Void>()
    let access = try #require(pair.access { _ in try await commits.call(()) })
    access.left.count.modify { $0 += 1 }
    #expect(pair.isModifying("striped"))
    let number = runtime.resource(initialState: .loaded(1))
    try #require(number.access(item: "one") { _ in try await commits.call(()) }).modify { $0 += 1 }
    #expect(number.modifyingIDs == [MutationKey("one")])
    runtime.run()
    commits[0].succeed()
    commits[1].fail(Broken())
    runtime.run()
    #expect(!pair.isModifying("striped"))
    #expect(number.failedMutations.map(\.item) == [MutationKey("one")])
  }

  @Test func `there is no access without a value`() {
    let resource = runtime.resource(initialState: LoadingState<[Item]>.idle)
    let missing = resource.access { _ in }
    #expect(missing == nil)
    let none = items().access(id: 7) { _ in }
    #expect(none == nil)
  }

  @Test func `a change fails if its element is gone when it is to be stored`() throws {
    let items = items()
    let access = items.access(id: 2, undoWindow: .seconds(5)) { [saves] in
      try await saves.call($0.value)
    }
    let item = try #require(access)
    item.count.modify { $0 += 1 }
    items.set(.loaded([Item(id: 1)]))
    runtime.advance(by: .seconds(5))
    #expect(saves.count == 0)
    #expect(items.failedMutations.map { $0.error as? LoadingError } == [.elementGone])
    #expect(items.failedMutations.map(\.item) == [MutationKey(2)])
  }

  @Test func `a failed change that is retried while its element is gone stays failed`() throws {
    let items = items()
    try item(2, of: items).count.modify { $0 += 1 }
    runtime.run()
    saves[0].fail(Broken())
    runtime.run()
    items.set(.loaded([Item(id: 1)]))
    items.retryFailedMutations()
    runtime.run()
    #expect(saves.count == 1)
    #expect(items.failedMutations.map { $0.error as? LoadingError } == [.elementGone])
    items.set(.loaded([Item(id: 1), Item(id: 2, count: 7)]))
    items.retryFailedMutations()
    runtime.run()
    #expect(saves[1].input.count == 8)
    saves[1].succeed()
    runtime.run()
    #expect(items.failedMutations.isEmpty)
  }
}
