import TerminalUI

extension Scene {
  /// The parts of a loading state, one at a time.
  static let patterns = [
    Scene(
      "retry", "A load that retries automatically, and says when; r retries now.",
      at: .milliseconds(1900)
    ) { runtime in
      let screen = RetryScreen(runtime)
      ProgramFrame { screen }
    },
    Scene(
      "profile", "A profile and its posts; loading the posts fails the first time.",
      at: .seconds(2)
    ) { runtime in
      let screen = ProfileScreen(runtime)
      ProgramFrame { screen }
    },
    Scene(
      "search", "A debounced search that ignores answers of older queries.",
      at: .seconds(1)
    ) { runtime in
      let model = SearchModel(clock: runtime.clock, scheduler: runtime.scheduler)
      ProgramFrame { SearchScreen(model: model) }
    },
    Scene(
      "removing", "Rows that are removed one by one, each with its own spinner; x removes.",
      at: .seconds(1)
    ) { runtime in
      let screen = RemovingScreen(runtime)
      ProgramFrame { screen }
    },
  ]
}
