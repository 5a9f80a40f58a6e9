import LoadingTesting
import Testing

@testable import Loading

@Suite struct IndicatorGateTests {
  let gate = IndicatorGate()

  /// Returns the timing of loads that ran at these times while there was content.
  func timing(_ reloads: (Int, Int?)...) -> IndicatorGate.Timing {
    var timing = IndicatorGate.Timing()
    for (start, end) in reloads {
      timing.note(isLoading: true, hasContent: true, at: .ms(start))
      if let end { timing.note(isLoading: false, hasContent: true, at: .ms(end)) }
    }
    return timing
  }

  func isVisible(_ timing: IndicatorGate.Timing, at ms: Int) -> Bool {
    gate.indicator(for: timing, at: .ms(ms)).isVisible
  }

  @Test func `a first load draws nothing for 200 ms, then its placeholder`() {
    var timing = IndicatorGate.Timing()
    timing.note(isLoading: true, hasContent: false, at: .ms(100))
    #expect(
      gate.placeholder(for: timing, at: .ms(299))
        == .init(isVisible: false, changesAt: .ms(300)))
    #expect(
      gate.placeholder(for: timing, at: .ms(300)) == .init(isVisible: true, changesAt: nil))
  }

  @Test func `a value replaces the placeholder at once, without an indicator`() {
    var timing = IndicatorGate.Timing()
    timing.note(isLoading: true, hasContent: false, at: .ms(0))
    timing.note(isLoading: false, hasContent: true, at: .ms(310))
    #expect(gate.placeholder(for: timing, at: .ms(310)) == .never)
    #expect(gate.indicator(for: timing, at: .ms(310)) == .never)
  }

  @Test func `a visible indicator stays for 400 ms, even if the load has ended`() {
    let timing = timing((0, 250))
    #expect(isVisible(timing, at: 250))
    #expect(
      gate.indicator(for: timing, at: .ms(599)) == .init(isVisible: true, changesAt: .ms(600)))
    #expect(gate.indicator(for: timing, at: .ms(600)) == .never)
  }

  @Test func `a short reload shows nothing`() {
    #expect(!isVisible(timing((0, 199)), at: 200))
    #expect(
      gate.indicator(for: timing((0, nil)), at: .ms(10))
        == .init(isVisible: false, changesAt: .ms(200)))
  }

  @Test func `a load that starts while the indicator is still visible keeps it visible`() {
    let timing = timing((0, 250), (590, 700))
    #expect(isVisible(timing, at: 650))
    #expect(isVisible(timing, at: 699))
    #expect(!isVisible(timing, at: 700))
  }

  @Test func `loads without a gap between them count as one wait`() {
    var timing = IndicatorGate.Timing()
    for start in stride(from: 0, through: 300, by: 100) {
      timing.note(isLoading: true, hasContent: true, at: .ms(start))
    }
    #expect(timing.reloads.count == 1)
    #expect(isVisible(timing, at: 300))
  }

  @Test
  func `a load that continues after its first value waits again before it shows an indicator`() {
    var timing = IndicatorGate.Timing()
    timing.note(isLoading: true, hasContent: false, at: .ms(0))
    timing.note(isLoading: true, hasContent: true, at: .ms(500))
    #expect(!isVisible(timing, at: 699))
    #expect(isVisible(timing, at: 700))
  }
}
