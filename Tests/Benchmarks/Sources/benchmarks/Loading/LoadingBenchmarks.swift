import Loading
import Observation
import OpenCombine

/// The loading-state system beside what one would use without it.
@MainActor
enum LoadingBenchmarks {
  static let all = [
    Benchmark(
      name: "loading/changes", title: "state changes, each seen by every observer", run: changes)
  ]

  static let header = ["", "resource", "@Observable", "OpenCombine"]
}

/// The floor: a bare observed property.
@MainActor @Observable
final class Model {
  var state = LoadingState<Int>.idle
}

typealias Subject = CurrentValueSubject<LoadingState<Int>, Never>
