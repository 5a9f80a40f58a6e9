import Testing

/// A program is killed, without a warning, while it keeps changes and sends them to a server that
/// answers, does not answer, applies a change twice or applies it late, even after the program is dead.
@Suite(.serialized, .timeLimit(.minutes(10))) struct JournalCrashTests {
  @Test func `what was kept arrives once and in order, however often the program is killed`()
    async throws
  {
    let run = try CrashRun(seed: 1)
    for kill in 0..<max(12, CrashTests.kills(default: 60)) {
      try await run.startAndKill(at: KillMoment.allCases[kill % KillMoment.allCases.count])
      try run.checkApplied()
    }
    try await run.finish()
    try run.checkApplied()

    let (hits, record) = (run.hits, run.server.record)
    let lost = run.kept.subtracting(record.numbers)
    #expect(lost.isEmpty, "lost: \(lost.sorted())")
    let committed = run.kept.count { !$0.isMultiple(of: 2) }
    print(
      """
      \(hits.kills) kills: \(hits.whileKeeping) between begin and saved, \(hits.writtenUntold) of \
      them with the row in the journal for sure; \(hits.beforeDelivery) after saved and before \
      delivery; \(hits.requestHeld) while the server held a request, \(hits.answerHeld) while it \
      held an answer; \(hits.whileResuming) right after the start, with changes left
      \(run.kept.count) changes were kept, \(committed) of them by a mutation; \
      \(record.numbers.count) were applied, by \(record.requests) requests; \
      \(record.repetitions) repetitions were recognised
      late: of killed processes \(record.appliedAfterDeath) applied, \
      \(record.repeatedAfterDeath) recognised; of attempts that were given up \
      \(record.appliedAfterGivingUp) applied, \(record.repeatedAfterGivingUp) recognised; \
      \(record.lateAnswers) late answers
      """)
    // Otherwise the kills have shown nothing.
    #expect(committed > 0 && committed < run.kept.count)
    #expect(hits.whileKeeping > 0)
    #expect(hits.writtenUntold > 0)
    #expect(hits.beforeDelivery > 0)
    #expect(hits.requestHeld > 0)
    #expect(hits.answerHeld > 0)
    #expect(hits.whileResuming > 0)
    #expect(record.appliedAfterDeath > 0)
    #expect(record.repeatedAfterDeath > 0)
    #expect(record.appliedAfterGivingUp + record.repeatedAfterGivingUp > 0)
  }
}

/// When a process that keeps and sends changes is killed.
enum KillMoment: CaseIterable {
  /// As soon as it says that it begins a change: before, in or after the write to the journal.
  case begun
  /// While the server holds a request of it that is not applied yet.
  case requestHeld
  /// As soon as it says that a change is saved; the server applies none of this process's changes.
  case saved
  /// After a change was written to the journal, and before the program is told so.
  case written
  /// After the server has applied a change, and before it answers.
  case answerHeld
  /// As soon as it has begun to send what earlier processes have left.
  case started
}
