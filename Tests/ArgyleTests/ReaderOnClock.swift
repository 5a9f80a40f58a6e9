import LoadingTesting

@testable import Argyle

extension ReaderModel {
  /// Makes a reader on a manual clock, with the pictures of the demo.
  convenience init(_ source: ArticleSource, _ runtime: ManualRuntime) {
    self.init(
      source: source, pictures: .demo, clock: runtime.clock.any, scheduler: runtime.scheduler)
  }
}
