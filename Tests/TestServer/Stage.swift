import Synchronization

/// What the connections of a server share: the scripts, the gates of the paths that are held, and
/// who is connected.
final class Stage: Sendable {
  enum Script: Sendable {
    case fixed(Answer)
    case computed(@Sendable (RecordedRequest) -> Answer)
  }

  let journal = Journal()
  private let state = Mutex(State())

  private struct State {
    var scripts: [String: Script] = [:]
    var held: [String: [Connection]] = [:]
    /// Releases that came before the answer was held.
    var releases: [String: Int] = [:]
    var connections: [Int: Connection] = [:]
    var lastConnection = 0
    var isOver = false
  }

  // MARK: Scripts

  func setScript(_ script: Script?, for path: String) {
    state.withLock { $0.scripts[path] = script }
  }

  func answer(at path: String) -> Answer? {
    guard case .fixed(let answer) = state.withLock({ $0.scripts[path] }) else { return nil }
    return answer
  }

  func answer(to request: RecordedRequest) -> Answer {
    switch state.withLock({
      $0.scripts[request.target] ?? $0.scripts[request.path] ?? $0.scripts[TestServer.anyPath]
    }) {
    case .fixed(let answer): answer
    case .computed(let script): script(request)
    case nil: .whole("no such page", status: 404)
    }
  }

  // MARK: Gates

  func release(_ path: String) {
    state.withLock { state in
      if state.held[path, default: []].isEmpty {
        state.releases[path, default: 0] += 1
      } else {
        // Rung under the lock: a connection takes itself off the list before it closes its bell.
        state.held[path]?.removeFirst().bell.ring()
      }
    }
  }

  /// Blocks the connection's thread until its path is released.
  ///
  /// False when the client goes away.
  func hold(_ connection: Connection, at path: String) -> Bool {
    journal.write { $0.holds.append(path) }
    let mayPass = state.withLock { state in
      if state.isOver { return true }
      if let releases = state.releases[path], releases > 0 {
        state.releases[path] = releases - 1
        return true
      }
      state.held[path, default: []].append(connection)
      return false
    }
    if mayPass { return true }
    defer { state.withLock { $0.held[path]?.removeAll { $0.id == connection.id } } }
    return connection.socket.waitWhileOpen(for: connection.bell)
  }

  // MARK: Connections

  var connectionCount: Int { state.withLock(\.lastConnection) }

  /// Nil once the server has stopped.
  func admit(_ socket: Socket) -> Connection? {
    guard let bell = try? Bell() else { return nil }
    let connection = state.withLock { state -> Connection? in
      guard !state.isOver else { return nil }
      state.lastConnection += 1
      let connection = Connection(
        id: state.lastConnection, socket: socket, bell: bell, stage: self)
      state.connections[connection.id] = connection
      return connection
    }
    if connection == nil { bell.close() }
    return connection
  }

  func dismiss(_ connection: Connection) {
    state.withLock { $0.connections[connection.id] = nil }
    connection.bell.close()
    connection.socket.close()
    journal.write { $0.closed.append(connection.id) }
  }

  /// Ends the connections that stand; each thread closes its own.
  func disconnectAll() {
    state.withLock { state in
      for connection in state.connections.values { connection.socket.shutDown() }
    }
  }

  func end() {
    state.withLock { $0.isOver = true }
    disconnectAll()
  }
}
