import Loading

@testable import Argyle

extension Still {
  /// The rows, without blanks and scroll bars at their ends.
  var lines: [String] {
    frame.text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      String(line.reversed().drop { $0 == "▐" || $0 == " " }.reversed())
    }
  }
}

extension Scene {
  /// The whole program on the reader's tab, with the full demo data as `change` alters it.
  @MainActor
  static func program(_ change: @escaping @MainActor (inout ArticleSource) -> Void) -> Scene {
    Scene("program", "", at: .zero) { runtime in
      var source = DemoScript(.full).source
      change(&source)
      let model = ProgramModel(
        part: .articles, source: source,
        socks: Resource(name: "drawer", clock: runtime.clock, scheduler: runtime.scheduler),
        pictures: .demo, scripted: runtime, clock: runtime.clock, scheduler: runtime.scheduler)
      return RootScreen(model: model, days: .demo)
    }
  }
}
