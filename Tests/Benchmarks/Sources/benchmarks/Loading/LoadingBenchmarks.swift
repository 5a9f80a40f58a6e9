import Loading
import Observation
import OpenCombine

/// The loading-state system beside what one would use without it.
@MainActor
enum LoadingBenchmarks {
  static let all = [
    Benchmark(
      name: "loading/changes", title: "state changes, each seen by every observer", run: changes),
    Benchmark(name: "loading/loads", title: "loads and what they bring", run: loads),
    Benchmark(name: "loading/memory", title: "what is idle", run: footprint),
    Benchmark(name: "loading/mutations", title: "mutations of one value", run: mutations),
    Benchmark(name: "loading/edits", title: "edits of a field while a commit hangs", run: edits),
  ]
}

/// The floor: a bare observed property.
@MainActor @Observable
final class Model {
  var state = LoadingState<Int>.idle
}

typealias Subject = CurrentValueSubject<LoadingState<Int>, Never>
