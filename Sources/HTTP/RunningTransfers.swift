import CCurl

/// The running transfers, and those waiting for a permit.
///
/// Used only on the worker's thread.
///
/// The permits are counted here and not by curl, because curl counts the wait as part of the
/// request's time: the fifth feed of a slow host would time out before it was even requested.
final class RunningTransfers {
  private var tools: EasyHandle.Tools
  private let now: () -> SuspendingClock.Instant
  private let multi: OpaquePointer
  private var waiting: [Transfer] = []
  private var running: [ObjectIdentifier: EasyHandle] = [:]
  /// The transfers with a permit: those running, and those whose bodies are still being read.
  private var placed: [ObjectIdentifier: Placed] = [:]
  private var placesTaken: [String: Int] = [:]
  /// Hosts whose certificates were refused: the missing authority may have been added to the system
  /// since.
  private var distrusted: Set<String> = []

  private struct Placed {
    let transfer: Transfer
    let start: SuspendingClock.Instant
    var redirects = 0
    /// How many bytes the finished steps have received.
    var received = 0
  }

  private static let isReady = ccurl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  private var round: Round { tools.round }

  init?(
    options: HTTPClient.Options, scope: @escaping ([UInt8]) -> PrivateNetwork.Scope,
    now: @escaping () -> SuspendingClock.Instant
  ) {
    guard Self.isReady, let multi = ccurl_multi_init() else { return nil }
    tools = EasyHandle.Tools(options: options, scope: scope, round: Round(start: now()))
    self.now = now
    self.multi = multi
    // How many idle connections are kept for later requests.
    _ = ccurl_set_multi_long(multi, CURLMOPT_MAXCONNECTS, max(1, options.maximumTransfers))
  }

  deinit {
    for easy in running.values { ccurl_multi_remove_handle(multi, easy.handle) }
    running = [:]
    ccurl_multi_cleanup(multi)
  }

  var wakeUp: WakeUp { WakeUp(multi) }

  private func take(_ command: Worker.Command) {
    switch command {
    case .start(let transfer):
      let isAhead = { (other: Transfer) in other.request.isUrgent || !transfer.request.isUrgent }
      waiting.insert(transfer, at: (waiting.lastIndex(where: isAhead) ?? -1) + 1)
    case .release(let transfer):
      if remove(transfer) { report(transfer) }
      leave(transfer)
    case .resume(let transfer):
      running[ObjectIdentifier(transfer)]?.resume()
    }
  }

  /// Handles all commands, and everything else that can be done without waiting.
  ///
  /// - Parameter options: may differ from earlier ones in the limits on running requests.
  func work(_ commands: [Worker.Command], options: HTTPClient.Options) {
    tools.options = options
    round.start = now()
    for command in commands { take(command) }
    admit()
    var count: Int32 = 0
    ccurl_multi_perform(multi, &count)
    while let message = ccurl_multi_info_read(multi, &count) {
      guard message.pointee.msg == CURLMSG_DONE else { continue }
      let (handle, code) = (message.pointee.easy_handle, message.pointee.data.result)
      guard let easy = running.values.first(where: { $0.handle == handle }) else { continue }
      switch easy.result(code) {
      case .redirect(let redirect): follow(redirect, from: easy)
      case .again: restart(easy)
      case .end(let result):
        if case .failure(HTTPError.certificate) = result {
          distrusted.insert(easy.route.address.authority)
        }
        end(easy.transfer, result)
      }
    }
    for easy in running.values {
      guard let deadline = easy.deadline, deadline <= round.start else { continue }
      end(easy.transfer, .failure(easy.lateness))
    }
    admit()
  }

  /// Waits for something to do: data, a deadline or a command.
  ///
  /// If no transfer is running, only a command ends the wait.
  func sleep() {
    var milliseconds = Int32.max
    if let deadline = running.values.compactMap(\.deadline).min() {
      milliseconds = now().duration(to: deadline).milliseconds
    }
    ccurl_multi_poll(multi, milliseconds)
  }

  func endAll() {
    let transfers = waiting + placed.values.map(\.transfer)
    waiting = []
    // A transfer that is still being read ignores a second end.
    for transfer in transfers { end(transfer, .failure(CancellationError())) }
  }

  private func admit() {
    waiting.removeAll { transfer in
      // Cancelled before it got a permit.
      if transfer.isEnded { return true }
      let authority = transfer.address.authority
      guard placed.count < max(1, tools.options.maximumTransfers),
        placesTaken[authority, default: 0] < max(1, tools.options.maximumTransfersPerHost)
      else { return false }
      do { try transfer.admission?() } catch {
        transfer.end(.failure(error))
        return true
      }
      placed[ObjectIdentifier(transfer)] = Placed(transfer: transfer, start: round.start)
      placesTaken[authority, default: 0] += 1
      do {
        try start(
          transfer, on: Route(transfer.request, to: transfer.address, scope: tools.scope),
          end: round.start + max(.milliseconds(1), transfer.request.limits.total))
      } catch {
        end(transfer, .failure(error))
      }
      return true
    }
  }

  private func start(
    _ transfer: Transfer, on route: Route, isFresh: Bool = false, end: SuspendingClock.Instant
  ) throws(HTTPError) {
    let easy = try EasyHandle(
      transfer, on: route, tools: tools, distrusts: distrusted.contains(route.address.authority),
      isFresh: isFresh, end: end)
    guard ccurl_multi_add_handle(multi, easy.handle) == CURLM_OK else {
      throw HTTPError(code: CURLE_FAILED_INIT)
    }
    running[ObjectIdentifier(transfer)] = easy
  }

  /// Sends a request once more on a new connection, with the same permit.
  private func restart(_ easy: EasyHandle) {
    remove(easy.transfer)
    do { try start(easy.transfer, on: easy.route, isFresh: true, end: easy.end) } catch {
      end(easy.transfer, .failure(error))
    }
  }

  /// Starts the next step, with the same permit.
  private func follow(_ redirect: ResponseHeadParser.Redirect, from easy: EasyHandle) {
    remove(easy.transfer)
    placed[ObjectIdentifier(easy.transfer)]?.redirects += 1
    do {
      var route = easy.route
      try route.follow(redirect)
      try start(easy.transfer, on: route, end: easy.end)
    } catch {
      end(easy.transfer, .failure(error))
    }
  }

  /// Ends a transfer with a result; one whose body is still being read keeps its permit until the
  /// stream is released.
  private func end(_ transfer: Transfer, _ result: Result<Void, any Error>) {
    let isRunning = remove(transfer)
    // Before the waiting task continues, because it may look at the log.
    if isRunning || !transfer.isEnded { report(transfer, result) }
    transfer.end(result)
    if case .success = result, !transfer.isReadAtEnd { return }
    leave(transfer)
  }

  /// Removes a transfer's handle from curl, and returns whether there was one.
  @discardableResult
  private func remove(_ transfer: Transfer) -> Bool {
    let id = ObjectIdentifier(transfer)
    guard let easy = running.removeValue(forKey: id) else { return false }
    placed[id]?.received += Int(easy.onWire)
    ccurl_multi_remove_handle(multi, easy.handle)
    return true
  }

  /// Reports a transfer that has ended, or is about to end with `result`.
  ///
  /// If the reader has ended it first, curl's error only says that nobody took the bytes.
  private func report(_ transfer: Transfer, _ result: Result<Void, any Error> = .success(())) {
    guard let report = tools.options.report, let placed = placed[ObjectIdentifier(transfer)]
    else { return }
    let (status, end) = transfer.state.withLock { ($0.head?.status, $0.end ?? result) }
    var error: (any Error)?
    if case .failure(let failure) = end { error = failure }
    report(
      HTTPReport(
        url: transfer.address.url, isPost: transfer.request.body != nil,
        redirects: placed.redirects, status: status, error: error,
        received: placed.received, elapsed: placed.start.duration(to: now())))
  }

  private func leave(_ transfer: Transfer) {
    guard placed.removeValue(forKey: ObjectIdentifier(transfer)) != nil else { return }
    let authority = transfer.address.authority
    placesTaken[authority] = placesTaken[authority].flatMap { $0 > 1 ? $0 - 1 : nil }
  }
}

/// The start time of one round of work; it stands for the time of everything done in that round.
///
/// Deadlines are measured from the start of a round. So bytes that lay unread while the process was
/// stopped do not count as silence. Nor does the time change between a callback that delivers bytes
/// and curl's later progress report of the same bytes.
final class Round {
  fileprivate(set) var start: SuspendingClock.Instant

  fileprivate init(start: SuspendingClock.Instant) { self.start = start }
}

extension Duration {
  /// Whole milliseconds, rounded up and at least 1: 0 means "no limit" to curl, and a poll rounded
  /// down would spin through the last millisecond.
  var milliseconds: Int32 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 1 }
    guard seconds < Int64(Int32.max) / 1000 else { return Int32.max }
    return max(
      1, Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }
}
