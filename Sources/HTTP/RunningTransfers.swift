import CCurl

/// The transfers in curl's hands and those waiting for a place.
///
/// Lives on the worker's thread.
///
/// The limits on places are kept here and not by curl, because curl counts the wait for a place as
/// part of the request's time: the fifth feed of a slow host would time out without being asked for.
final class RunningTransfers {
  private var options: HTTPClient.Options
  private let now: () -> SuspendingClock.Instant
  private let round: Round
  private let multi: OpaquePointer
  private var waiting: [Transfer] = []
  private var running: [ObjectIdentifier: EasyHandle] = [:]
  private var runningAt: [String: Int] = [:]
  /// Whose certificates were refused: the one that is missing may have been added since.
  private var distrusted: Set<String> = []

  private static let isReady = ccurl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  init?(options: HTTPClient.Options, now: @escaping () -> SuspendingClock.Instant) {
    guard Self.isReady, let multi = ccurl_multi_init() else { return nil }
    self.options = options
    self.now = now
    round = Round(start: now())
    self.multi = multi
    // Idle connections kept for the next request.
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
      waiting.append(transfer)
    case .cancel(let transfer):
      remove(transfer)
    case .resume(let transfer):
      running[ObjectIdentifier(transfer)]?.resume()
    case .change(let options):
      self.options = options
    }
  }

  /// Does everything that was told, and all else that can be done without waiting.
  func work(_ commands: [Worker.Command]) {
    round.start = now()
    for command in commands { take(command) }
    admit()
    var count: Int32 = 0
    ccurl_multi_perform(multi, &count)
    while let message = ccurl_multi_info_read(multi, &count) {
      guard message.pointee.msg == CURLMSG_DONE else { continue }
      let (handle, code) = (message.pointee.easy_handle, message.pointee.data.result)
      guard let easy = running.values.first(where: { $0.handle == handle }) else { continue }
      let result = easy.result(code)
      if case .failure(HTTPError.certificate) = result {
        distrusted.insert(easy.transfer.address.authority)
      }
      remove(easy.transfer)
      easy.transfer.end(result)
    }
    for easy in running.values {
      guard let deadline = easy.stallDeadline, deadline <= round.start else { continue }
      remove(easy.transfer)
      easy.transfer.end(.failure(easy.stall))
    }
    admit()
  }

  /// Until there is something to do: data, a deadline, a command.
  ///
  /// With nothing in flight that is the next command alone.
  func sleep() {
    var milliseconds = Int32.max
    if let deadline = running.values.compactMap(\.stallDeadline).min() {
      milliseconds = now().duration(to: deadline).milliseconds
    }
    ccurl_multi_poll(multi, milliseconds)
  }

  func endAll() {
    let transfers = waiting + running.values.map(\.transfer)
    waiting = []
    for transfer in transfers {
      remove(transfer)
      transfer.end(.failure(CancellationError()))
    }
  }

  private func admit() {
    waiting.removeAll { transfer in
      // Cancelled before it had a place.
      if transfer.isEnded { return true }
      let authority = transfer.address.authority
      guard running.count < max(1, options.maximumTransfers),
        runningAt[authority, default: 0] < max(1, options.maximumTransfersPerHost)
      else { return false }
      do {
        let easy = try EasyHandle(
          transfer, options: options, distrusts: distrusted.contains(authority), round: round)
        guard ccurl_multi_add_handle(multi, easy.handle) == CURLM_OK else {
          throw HTTPError(code: CURLE_FAILED_INIT)
        }
        running[ObjectIdentifier(transfer)] = easy
        runningAt[authority, default: 0] += 1
      } catch {
        transfer.end(.failure(error))
      }
      return true
    }
  }

  private func remove(_ transfer: Transfer) {
    guard let easy = running.removeValue(forKey: ObjectIdentifier(transfer)) else { return }
    ccurl_multi_remove_handle(multi, easy.handle)
    let authority = transfer.address.authority
    runningAt[authority] = runningAt[authority].flatMap { $0 > 1 ? $0 - 1 : nil }
  }
}

/// What is done without waiting in between, and one time for all of it.
///
/// Its beginning counts: what lies unread after the process was stopped for a while is no silence, and
/// curl tells of bytes again after they were handed on, when somebody may be waiting for more already.
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
