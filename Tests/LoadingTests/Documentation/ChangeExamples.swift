import Loading

// The documentation's examples of mutations, word for word, so that all of them compile.

private struct Sock: Identifiable, Equatable, Sendable {
  let id: Int
  var sogginess = 0
  var isClean = false
}

private struct Comment: Identifiable, Sendable {
  let id: Int
}

private struct Todo: Sendable {}

private struct API: Sendable {
  func add(_ draft: Todo) async throws -> Todo { draft }
  func wash(_ id: Int) async throws {}
  func remove(_ id: Int) async throws {}
  func add(_ comment: Comment) async throws {}
  func save(_ sock: Sock) async throws {}
  func setSogginess(_ sogginess: Int) async throws {}
}

private struct Toasts {
  func show(_ message: String, about failure: FailedMutation) {}
}

private let api = API()
private let id = 1

// Stands for the program's drawing.
private func draw(_ contents: Any?...) {}

@MainActor
private func mutations(_ drawer: Resource<[Sock]>, _ sock: Sock) {
  drawer.mutate(
    item: sock.id,
    apply: { socks in socks.modify(id: sock.id) { $0.isClean = true } },
    commit: { _ in try await api.wash(sock.id) })
  drawer.mutate(
    Mutation(item: sock.id) { socks in
      socks.removeAll { $0.id == sock.id }
    } commit: { _ in
      try await api.remove(sock.id)
    })
  if let sock = drawer.access(id: id, commit: { try await api.save($0.value) }) {
    print(sock.sogginess.value)  // read, live
    sock.sogginess.modify { $0 += 1 }  // an optimistic mutation
  }
}

@MainActor
private func pages(_ feed: PagedResource<Sock, Int>, _ sock: Sock) {
  feed.content.mutate(item: sock.id) { pages in
    pages.remove(id: sock.id)
  } commit: { _ in
    try await api.remove(sock.id)
  }
}

@MainActor
private func committing(_ drawer: Resource<[Sock]>, _ sock: Sock) async throws {
  let wash = Mutation<[Sock]>(item: sock.id) { socks in
    socks.modify(id: sock.id) { $0.isClean = true }
  } commit: { _ in
    try await api.wash(sock.id)
  }
  drawer.mutate(wash.committing { $0.timeout(.seconds(5)).retrying(limit: 3) })
  drawer.mutate(wash.invalidating("laundry"))
  if let id = drawer.mutate(wash), try await drawer.outcome(of: id) { draw("Clean") }
}

@MainActor
private func creating(_ comments: Resource<[Comment]>, _ comment: Comment) {
  comments.mutate(
    Mutation(item: comment.id) { comments in
      comments.append(comment)
    } commit: {
      try await api.add(comment)
    })
}

@MainActor
private func answered(_ todos: Resource<[Todo]>, _ draft: Todo) {
  todos.mutate {
    $0.append(draft)
  } commit: { _ in
    try await api.add(draft)
  } confirm: { todos, stored in
    todos.append(stored)  // with the number that the server has given it
  }
}

@MainActor
private func accesses(_ resource: Resource<Sock>) {
  if let sock = resource.access(commit: { try await api.save($0.value) }) {
    print(sock.sogginess.value)  // read, live
    sock.sogginess.modify { $0 += 1 }  // optimistic, rolled back if its commit fails
  }
  let sock = resource.access { change in
    if change.isWithin(\.sogginess) {
      try await api.setSogginess(change.value.sogginess)
    } else {
      try await api.save(change.value)
    }
  }
  draw(sock)
}

@MainActor
private func failed(_ drawer: Resource<[Sock]>, _ sock: Sock) {
  if let failed = drawer.failedMutation(of: sock.id) { draw("not saved: \(failed.error)") }
}

@MainActor
private func quitting(_ scheduler: LoadScheduler) async {
  scheduler.commitHeldMutations()
  let isSaved = await scheduler.mutationsSettled(within: .seconds(2))
  draw(isSaved)
}

@MainActor
private func failures(_ inbox: FailedMutation.Inbox, _ toasts: Toasts) async {
  for await failure in inbox.failures {
    toasts.show("Not saved: \(failure.error)", about: failure)
  }
}
