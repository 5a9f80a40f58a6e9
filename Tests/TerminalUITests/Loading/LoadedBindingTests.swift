import Loading
import LoadingTesting
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Tests of changing a loaded value from the view that shows it.
@MainActor
@Suite struct LoadedBindingTests {
  struct Sock: Sendable, Equatable, Identifiable {
    let id: Int
    var name = "Left"
    var isWashed = false
  }

  let runtime = ManualRuntime()
  let saves = ManualCalls<Sock, Void>()

  private func stage(_ resource: Resource<Sock>) -> Stage {
    Stage(20, 2, runtime: runtime) { [saves] in
      AsyncContentView(resource, commit: { try await saves.call($0.value) }) { $sock in
        VStack(alignment: .leading) {
          Toggle(sock.name, isOn: $sock.isWashed)
          TextField("Name", text: $sock.name)
        }
      }
      .placeholder(Sock(id: 0, name: "some name"))
    }
  }

  @Test func `what is written through the binding is on the screen at once and is committed`() {
    let resource = runtime.resource(initialState: .loaded(Sock(id: 1)))
    let stage = stage(resource)
    #expect(stage.text == "[ ] Left\nLeft")
    stage.press(.space)
    #expect(stage.text == "[x] Left\nLeft")
    #expect(saves.inputs.map(\.isWashed) == [true])
    saves[0].succeed()
    stage.settle()
    #expect(stage.text == "[x] Left\nLeft")
    #expect(!resource.hasPendingMutations)
  }

  @Test(arguments: [true, false])
  func `a change of a value has the value's id as its item`(isOwnResource: Bool) {
    let resource = runtime.resource(initialState: .loaded(Sock(id: 1)))
    let save: @Sendable (ValueAccess<Sock>.Change) async throws -> Void = { [saves] in
      try await saves.call($0.value)
    }
    let stage = Stage(20, 1, runtime: runtime) {
      if isOwnResource {
        AsyncContentView(loader: .constant(Sock(id: 1)), commit: save) { $sock in
          Toggle(sock.name, isOn: $sock.isWashed).modifying(sock.id)
        }
      } else {
        AsyncContentView(resource, commit: save) { $sock in
          Toggle(sock.name, isOn: $sock.isWashed).modifying(sock.id)
        }
      }
    }
    stage.press(.space)
    #expect(stage.text == "[x] Left ⠋")
    saves[0].succeed()
    stage.settle()
    #expect(stage.text == "[x] Left")
  }

  @Test func `a change that cannot be stored is taken back, and others stay`() {
    let resource = runtime.resource(initialState: .loaded(Sock(id: 1)))
    let stage = stage(resource)
    stage.press(.space, .tab, "!")
    #expect(stage.text == "[x] Left!\nLeft!")
    saves[0].fail(Broken())
    stage.settle()
    #expect(stage.text == "[ ] Left!\n✗ B… Ctrl-R to retry")
    saves[1].succeed()
    stage.settle()
    #expect(resource.latestValue == Sock(id: 1, name: "Left!"))
    #expect(resource.failedMutations.count == 1)
    // Tried again, it is stored.
    stage.press(.control("r"))
    stage.settle()
    #expect(stage.text == "[x] Left!\nLeft!")
    saves[2].succeed()
    stage.settle()
    #expect(resource.failedMutations.isEmpty)
  }

  @Test func `changes that could not be stored are shown, and tried again or dismissed together`() {
    let resource = runtime.resource(initialState: .loaded([1, 2, 3]))
    let removals = ManualCalls<Int, Void>()
    let stage = Stage(70, 8, runtime: runtime) {
      AsyncContentView(resource) { numbers in List(numbers, id: \.self) { Text("\($0)") } }
        .environment(\.describeError) { ErrorDescription(what: "\(($0 as? Broken)?.what ?? "")") }
    }
    func remove(_ number: Int) {
      resource.mutate(item: number) {
        $0.removeAll { $0 == number }
      } commit: { _ in
        try await removals.call(number)
      }
    }
    remove(1)
    remove(3)
    stage.settle()
    #expect(stage.text.hasPrefix("2\n\n"))
    removals[0].fail(Broken(what: "1 is in use."))
    removals[1].fail(Broken(what: "3 is in use."))
    stage.settle()
    #expect(stage.text.hasPrefix("1\n2\n3\n"))
    #expect(
      stage.text.hasSuffix(
        "✗ 3 is in use. And 1 more.         Ctrl-R to retry   Ctrl-X to dismiss"))
    #expect(stage.footer.prefix(2) == ["retry", "dismiss"])
    stage.press(.control("r"))
    #expect(removals.inputs == [1, 3, 1, 3])
    #expect(stage.text.hasPrefix("2\n\n"))
    removals[2].succeed()
    removals[3].fail(Broken(what: "3 is in use."))
    stage.settle()
    #expect(stage.text.hasPrefix("2\n3\n"))
    stage.press(.control("x"))
    #expect(stage.text.hasPrefix("2\n3\n"))
    #expect(!stage.text.contains("in use"))
    #expect(stage.footer.isEmpty)
    #expect(resource.failedMutations.isEmpty)
  }

  @Test func `of changes of which one is final, that which can be tried again is shown`() {
    struct Final: Error, RetryAdvice { let isRetryable = false }
    let resource = runtime.resource(initialState: .loaded(1))
    let saves = ManualCalls<Int, Void>()
    let stage = Stage(60, 3, runtime: runtime) {
      AsyncContentView(resource) { Text("\($0)").frame(maxWidth: .infinity, maxHeight: 2) }
        .environment(\.describeError) { ErrorDescription(what: $0 is Final ? "Never." : "Busy.") }
    }
    for _ in 0..<2 { resource.mutate(apply: { $0 += 1 }, commit: { try await saves.call($0) }) }
    stage.settle()
    saves[0].fail(Broken())
    stage.settle()
    saves[1].fail(Final())
    stage.settle()
    #expect(stage.text.contains("✗ Busy. And 1 more."))
    stage.press(.control("r"))
    saves[2].succeed()
    stage.settle()
    #expect(stage.text.contains("✗ Never."))
    #expect(stage.footer == ["dismiss"])
    stage.press(.control("r"), .control("x"))
    #expect(saves.count == 3)
    #expect(resource.failedMutations.isEmpty)
  }

  @Test(arguments: [
    (50, "✗ 3 is in use. Ctrl-R to retry   Ctrl-X to dismiss"),
    (49, "✗ 3 is in use.                    Ctrl-R to retry"),
    (37, "✗ 3 is in use.        Ctrl-R to retry"), (20, "✗ 3… Ctrl-R to retry"), (18, "✗ Ctrl-R"),
  ])
  func `where there is little room, the hint to dismiss goes first and the reason last`(
    width: Int, line: String
  ) {
    let resource = runtime.resource(initialState: .loaded([1]))
    let saves = ManualCalls<[Int], Void>()
    let stage = Stage(width, 3, runtime: runtime) {
      AsyncContentView(resource) { numbers in List(numbers, id: \.self) { Text("\($0)") } }
        .environment(\.describeError) { _ in ErrorDescription(what: "3 is in use.") }
    }
    resource.mutate(apply: { $0 = [] }, commit: { try await saves.call($0) })
    stage.settle()
    saves[0].fail(Broken())
    stage.settle()
    #expect(stage.text.split(separator: "\n").last.map(String.init) == line)
  }

  @Test func `while text is typed, Ctrl-R tries a failed change again`() {
    let resource = runtime.resource(initialState: .loaded(Sock(id: 1)))
    let stage = stage(resource)
    stage.press(.tab, "!")
    saves[0].fail(Broken())
    stage.settle()
    stage.press(.control("r"))
    #expect(saves.inputs.map(\.name) == ["Left!", "Left!"])
    saves[1].succeed()
    stage.settle()
    #expect(resource.latestValue?.name == "Left!")
  }

  @Test func `a message about a change that cannot be begun again stays`() async throws {
    let (inbox, toasts) = (FailedMutation.Inbox(), ToastQueue())
    let resource = Resource(
      initialState: .loaded(Sock(id: 1)), mutationFailures: inbox, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
    resource.mutate(apply: { $0.isWashed = true }, commit: { [saves] in try await saves.call($0) })
    resource.reset()
    runtime.run()
    saves.end()
    runtime.run()
    var failures = inbox.failures.makeAsyncIterator()
    toasts.show("Not saved.", about: try #require(await failures.next()))
    toasts.show("News.", retry: {})
    toasts.retry()
    #expect(toasts.count == 2)
    toasts.dismiss()
    #expect(toasts.count == 1)
    toasts.retry()
    #expect(toasts.count == 0)
    #expect(resource.failedMutations.isEmpty)
  }

  @Test func `a change that an inbox reports is not shown a second time`() {
    let inbox = FailedMutation.Inbox()
    let resource = Resource(
      initialState: .loaded(Sock(id: 1)), mutationFailures: inbox, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
    let stage = stage(resource)
    stage.press(.space)
    saves[0].fail(Broken())
    stage.settle()
    #expect(stage.text == "[ ] Left\nLeft")
  }

  @Test func `letters typed while one is being stored are all there and stored in order`() {
    let resource = runtime.resource(initialState: .loaded(Sock(id: 1, name: "")))
    let stage = stage(resource)
    stage.press(.tab, "a", "b", .left, "c")
    #expect(stage.text == "[ ] acb\nacb")
    saves[0].succeed()
    stage.settle()
    #expect(saves.inputs.map(\.name) == ["a", "acb"])
    saves[1].succeed()
    stage.settle()
    #expect(stage.text == "[ ] acb\nacb")
  }

  @Test func `the placeholder is given the sample, which nobody can change`() {
    let loads = ManualLoads<Sock>()
    let stage = stage(runtime.resource(loads.loader))
    stage.advance(by: .milliseconds(200))
    #expect(stage.text == "▇ ▇ ▇▇▇▇ ▇▇▇▇\n")
    stage.press(.space, "x")
    #expect(saves.count == 0)
    loads[0].succeed(Sock(id: 1))
    stage.settle()
    #expect(stage.text == "[ ] Left\nLeft")
  }

  @Test func `an element is changed wherever it has moved, and its row says so`() {
    let resource = runtime.resource(initialState: .loaded([Sock(id: 1), Sock(id: 2)]))
    let stage = Stage(20, 3, runtime: runtime) { [saves] in
      AsyncContentView(resource) { socks in
        List(socks) { sock in
          Text("\(sock.id) \(sock.isWashed ? "clean" : "soggy")").modifying(sock.id)
        }
      }
      .onKeyPress("w", label: "wash") {
        guard let sock = resource.access(id: 2, commit: { try await saves.call($0.value) }) else {
          return
        }
        Binding(sock).isWashed.wrappedValue = true
      }
    }
    stage.press("w")
    #expect(stage.text == "1 soggy\n2 clean ⠋\n")
    resource.set(.loaded([Sock(id: 2), Sock(id: 1)]))
    stage.settle()
    #expect(stage.text.hasPrefix("2 clean ⠋\n1 soggy"))
    saves[0].succeed()
    stage.settle()
    #expect(stage.text == "2 clean\n1 soggy\n")
  }

  @Test func `a failed change is a toast, to be tried again or dismissed from anywhere`() async {
    let (inbox, toasts) = (FailedMutation.Inbox(), ToastQueue())
    let resource = Resource(
      initialState: .loaded(Sock(id: 1)), mutationFailures: inbox, clock: runtime.clock.any,
      scheduler: runtime.scheduler)
    let stage = Stage(60, 3, runtime: runtime) { [saves] in
      AsyncContentView(resource, commit: { try await saves.call($0.value) }) { $sock in
        TextField("Name", text: $sock.name)
      }
      .toasts(toasts)
    }
    let following = Task {
      await toasts.follow(inbox) { _ in ErrorDescription(what: "Not saved.") }
    }
    stage.press("!")
    saves[0].fail(Broken())
    stage.settle()
    while toasts.count == 0 { await Task.yield() }
    stage.settle()
    let line = "▌✗ Not saved.           Ctrl-R to retry   Ctrl-X to dismiss"
    #expect(stage.text == "Left\n\n" + line)
    stage.press(.control("r"))
    #expect(stage.text == "Left!\n\n")
    #expect(saves.count == 2)
    saves[1].fail(Broken())
    stage.settle()
    while toasts.count == 0 { await Task.yield() }
    stage.settle()
    stage.press(.control("x"))
    #expect(stage.text == "Left\n\n")
    #expect(resource.failedMutations.isEmpty)
    following.cancel()
  }

  @Test func `a toast is withdrawn when its failure is answered elsewhere or is out of date`() {
    let toasts = ToastQueue()
    let resource = runtime.resource(initialState: .loaded(Sock(id: 1)))
    let stage = Stage(40, 2, runtime: runtime) { [saves] in
      AsyncContentView(resource, commit: { try await saves.call($0.value) }) { $sock in
        Toggle("Washed", isOn: $sock.isWashed)
      }
      .onChange(of: resource.failedMutations.map(\.id)) { before, _ in
        for failed in resource.failedMutations where !before.contains(failed.id) {
          toasts.show("Not saved.") {
            resource.retryMutation(failed.id)
          } onDismiss: {
          } while: {
            resource.failedMutations.contains { $0.id == failed.id }
          }
        }
      }
      .toasts(toasts)
    }
    func fail(_ index: Int) {
      saves[index].fail(Broken())
      stage.settle()
    }
    stage.press(.space)
    fail(0)
    #expect(stage.text.contains("Not saved."))
    // A later success of the same field drops the failure.
    stage.press(.space)
    saves[1].succeed()
    stage.settle()
    #expect(stage.text == "[x] Washed\n")
    #expect(stage.footer == ["off"])
    // Dismissed in the view that shows the failure.
    stage.press(.space)
    fail(2)
    #expect(stage.text.contains("Not saved."))
    resource.failedMutations.map(\.id).forEach(resource.dismissMutation)
    stage.settle()
    #expect(stage.text == "[x] Washed\n")
    // Retried there.
    stage.press(.space)
    fail(3)
    #expect(toasts.count == 1)
    resource.failedMutations.map(\.id).forEach { resource.retryMutation($0) }
    stage.settle()
    #expect(stage.text == "[ ] Washed\n")
    #expect(toasts.count == 0)
    saves[4].succeed()
    stage.settle()
  }

  @Test func `toasts wait for their turn`() {
    let toasts = ToastQueue()
    toasts.show("First")
    toasts.show("Second")
    let stage = Stage(40, 2) { Text("content").toasts(toasts) }
    #expect(stage.text == "content\n▌ First And 1 more.   Ctrl-X to dismiss")
    stage.press(.control("r"))
    #expect(toasts.count == 2)
    stage.press(.control("x"))
    #expect(stage.text == "content\n▌ Second              Ctrl-X to dismiss")
  }
}
