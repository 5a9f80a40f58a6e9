import Testing

@testable import Limits

@Suite struct BudgetTests {
  @Test func `work in proportion to the size goes on, and more of it ends`() {
    let budget = Budget(bytes: 1_000) { false }
    let allowed = Budget.leastSteps + Budget.stepsPerByte * 1_000
    #expect(budget.spend(allowed))
    #expect(budget.end == nil)
    #expect(!budget.spend(Budget.stepsBetweenChecks))
    #expect(budget.end == .tooMuch(.work))
    #expect(!budget.spend(0))
  }

  @Test func `a text may take more memory than its size, and no more than many times as much`() {
    let budget = Budget(bytes: 1_000) { false }
    #expect(budget.take(Budget.leastRoom + Budget.roomPerByte * 1_000))
    #expect(budget.end == nil)
    #expect(!budget.take(1))
    #expect(budget.end == .tooMuch(.memory))
  }

  @Test func `a cancelled task ends the work soon`() {
    var isCancelled = false
    let budget = Budget(bytes: 1 << 20) { isCancelled }
    #expect(budget.spend(Budget.stepsBetweenChecks))
    isCancelled = true
    var steps = 0
    while budget.spend(1) { steps += 1 }
    #expect(steps <= Budget.stepsBetweenChecks)
    #expect(budget.end == .cancelled)
  }

  @Test func `the first thing that was too much is the one that is named`() {
    let budget = Budget(bytes: 0) { false }
    #expect(budget.require(128, atMost: 128, .attributes))
    #expect(!budget.require(129, atMost: 128, .attributes))
    #expect(!budget.require(1, atMost: 0, .articles))
    #expect(budget.end == .tooMuch(.count(.attributes, limit: 128)))
    #expect(
      Excess.count(.attributes, limit: 128).words == "more than 128 attributes in one element")
  }
}
