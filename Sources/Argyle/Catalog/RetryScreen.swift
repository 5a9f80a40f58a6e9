import Loading
import TerminalUI

/// A load that tries again by itself, a little later each time.
struct RetryScreen: View {
  let letter: Resource<String>

  init(_ runtime: SceneRuntime) {
    letter = Resource(
      Self.letter(seed: runtime.seed), name: "letter", clock: runtime.clock,
      scheduler: runtime.scheduler)
  }

  var body: some View {
    BesideEvents(records: letter.history) {
      AsyncContentView(letter) { text in
        ScrollView { Text(text).padding(.horizontal) }
      }
      .pane("A letter")
      .onKeyPress(action: .reload) { letter.load() }
    }
  }

  /// Fails three times and then brings the letter.
  static func letter(seed: UInt64) -> Loader<String> {
    let chance = SharedChance(seed: seed)
    return Loader { context in
      try await context.clock.sleep(for: .milliseconds(700))
      guard context.attempt > 3 else {
        throw DescribedError(
          "The post office is closed.", advice: "It is tried again automatically.",
          detail: "Attempt \(context.attempt)")
      }
      return """
        Dear reader,

        the post office was closed three times before it was open. Nobody had to stand at its \
        door: the program waited, a little longer each time, and said so.

        Had you pressed r, it would have knocked at once.
        """
    }
    .retrying(
      limit: 5,
      backoff: Backoff(base: .seconds(2), factor: 1.7, random: { 0.6 + 0.4 * chance.next() }))
  }
}
