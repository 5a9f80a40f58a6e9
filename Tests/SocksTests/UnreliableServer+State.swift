import PseudoTerminal

extension UnreliableServer {
  /// What was applied and what is held, without any connection.
  struct State {
    /// What a request leads to.
    struct Reaction {
      enum Answer { case atOnce, connectionEnds, later }

      var answer: Answer
      /// The paths of the requests that are answered now.
      var released: [String] = []
      /// Whether a test waits for this request.
      var isTrapped = false
    }

    private struct Held {
      let request: ChangeRequest
      var until: HeldUntil
      var isApplied: Bool
      var isGivenUp = false
      var isSenderDead = false

      /// Whether it is held no longer.
      var isDue: Bool {
        switch until {
        case .requests(let count), .attempts(let count): count <= 0
        case .death(let count): isSenderDead && count <= 0
        }
      }
    }

    private(set) var record = Record()
    private var keys: Set<String> = []
    private var held: [Held] = []
    private var dead: Set<Int> = []
    private var traps: [Int: Trap] = [:]
    /// The keys of the changes that stay in a trap until their process is killed.
    private var caught: [Int: String] = [:]
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func set(_ trap: Trap, for process: Int) { traps[process] = trap }

    /// How many requests of a process, and how many answers to it, are held.
    func heldCounts(of process: Int) -> (requests: Int, answers: Int) {
      let ofProcess = held.filter { $0.request.process == process }
      let answers = ofProcess.count(where: \.isApplied)
      return (ofProcess.count - answers, answers)
    }

    mutating func receive(_ request: ChangeRequest) -> Reaction {
      record.requests += 1
      let earlier = held.count
      let (conduct, isTrapped) = conduct(for: request)
      var reaction = follow(conduct, request)
      reaction.isTrapped = isTrapped
      reaction.released += release(noting: request, among: earlier)
      return reaction
    }

    /// Returns the paths of the requests that are answered now.
    mutating func processEnded(_ process: Int) -> [String] {
      dead.insert(process)
      for index in held.indices where held[index].request.process == process {
        held[index].isSenderDead = true
      }
      return releaseDue()
    }

    /// Returns the paths of the requests that are answered now.
    mutating func applyEverythingHeld() -> [String] {
      for index in held.indices { held[index].until = .requests(0) }
      return releaseDue()
    }

    // MARK: One request

    private mutating func conduct(for request: ChangeRequest) -> (Conduct, isTrapped: Bool) {
      // It was on its way when its process was killed.
      if dead.contains(request.process) { return (.answer, false) }
      // Else another attempt could be applied before the process is killed.
      if caught[request.process] == request.key { return (.ignore, false) }
      guard var trap = traps[request.process] else { return (randomConduct(for: request), false) }
      trap.passes -= 1
      let isTrapped = trap.passes < 0 && !keys.contains(request.key)
      traps[request.process] = isTrapped && !trap.isForAll ? nil : trap
      if isTrapped, !trap.isForAll, trap.conduct.lastsUntilDeath {
        caught[request.process] = request.key
      }
      return (isTrapped ? trap.conduct : randomConduct(for: request), isTrapped)
    }

    private mutating func randomConduct(for request: ChangeRequest) -> Conduct {
      // The sender waits longer each time, so a few attempts more would take most of the test's time.
      guard request.attempt <= 3 else { return .answer }
      return switch Int.random(in: 0..<14, using: &generator) {
      case 0: .loseRequest
      case 1: .loseAnswer
      case 2: .ignore
      case 3: .applyInSilence
      case 4: .applyTwice
      case 5: .holdRequest(.requests(.random(in: 1...3, using: &generator)))
      case 6: .holdRequest(.attempts(.random(in: 1...2, using: &generator)))
      case 7: .holdRequest(.death(attempts: .random(in: 0...1, using: &generator)))
      case 8: .holdAnswer(.requests(.random(in: 1...3, using: &generator)))
      default: .answer
      }
    }

    private mutating func follow(_ conduct: Conduct, _ request: ChangeRequest) -> Reaction {
      switch conduct {
      case .answer:
        apply(request)
        return Reaction(answer: .atOnce)
      case .applyTwice:
        apply(request)
        apply(request)
        return Reaction(answer: .atOnce)
      case .loseRequest:
        return Reaction(answer: .connectionEnds)
      case .loseAnswer:
        apply(request)
        return Reaction(answer: .connectionEnds)
      case .ignore:
        return Reaction(answer: .later)
      case .applyInSilence:
        apply(request)
        return Reaction(answer: .later)
      case .holdRequest(let until):
        held.append(Held(request: request, until: until, isApplied: false))
        return Reaction(answer: .later)
      case .holdAnswer(let until):
        apply(request)
        held.append(Held(request: request, until: until, isApplied: true))
        return Reaction(answer: .later)
      }
    }

    /// Applies a change, unless one with its key was applied before.
    private mutating func apply(_ request: ChangeRequest, isGivenUp: Bool = false) {
      let isFirst = keys.insert(request.key).inserted
      if isFirst {
        record.applied.append((request.number, request.key))
      } else {
        record.repetitions += 1
      }
      if dead.contains(request.process) {
        if isFirst { record.appliedAfterDeath += 1 } else { record.repeatedAfterDeath += 1 }
      } else if isGivenUp {
        if isFirst { record.appliedAfterGivingUp += 1 } else { record.repeatedAfterGivingUp += 1 }
      }
    }

    // MARK: Held requests

    /// Counts a request for the requests that were held before it came, and releases those that are
    /// due.
    private mutating func release(noting request: ChangeRequest, among count: Int) -> [String] {
      for index in held.indices.prefix(count) {
        let isSame = held[index].request.key == request.key
        if isSame, held[index].request.process == request.process { held[index].isGivenUp = true }
        switch held[index].until {
        case .requests(let count): held[index].until = .requests(count - 1)
        case .attempts(let count) where isSame: held[index].until = .attempts(count - 1)
        case .death(let count) where isSame && held[index].isSenderDead:
          held[index].until = .death(attempts: count - 1)
        case .attempts, .death: break
        }
      }
      return releaseDue()
    }

    private mutating func releaseDue() -> [String] {
      let due = held.filter(\.isDue)
      held.removeAll(where: \.isDue)
      for held in due {
        if !held.isApplied { apply(held.request, isGivenUp: held.isGivenUp) }
        if !held.isGivenUp, !held.isSenderDead { record.lateAnswers += 1 }
      }
      return due.map(\.request.path)
    }
  }
}

extension UnreliableServer.Conduct {
  /// Whether it holds a request or an answer until the sender was killed.
  fileprivate var lastsUntilDeath: Bool {
    switch self {
    case .holdRequest(.death), .holdAnswer(.death): true
    default: false
    }
  }
}
