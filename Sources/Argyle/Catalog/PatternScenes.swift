import TerminalUI

extension Scene {
  /// What a loading state is made of, one thing at a time.
  static let patterns = [
    Scene(
      "retry", "A load that tries again by itself, and says when; r does not wait.",
      at: .milliseconds(1900)
    ) { runtime in
      let screen = RetryScreen(runtime)
      ProgramFrame { screen }
    },
    Scene(
      "profile", "A person and their posts, of which the second part fails at first.",
      at: .seconds(2)
    ) { runtime in
      let screen = ProfileScreen(runtime)
      ProgramFrame { screen }
    },
    Scene(
      "search", "A search that asks when the typing rests, and drops answers that come too late.",
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
