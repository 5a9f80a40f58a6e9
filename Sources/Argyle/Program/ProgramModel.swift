import Loading
import Observation
import TerminalUI

/// The parts of the program, and which of them shows.
@MainActor
@Observable
final class ProgramModel {
  enum Part: Hashable {
    case articles, socks, gallery, catalog
  }

  var part: Part
  let reader: ReaderModel
  /// The drawer, which is opened when somebody looks: a file that cannot be used is shown there, and
  /// keeps nobody from reading.
  let socks: Resource<DrawerModel>
  /// What went wrong in passing.
  let toasts = ToastQueue()
  // Made when somebody looks: the reader's start does not wait for them.
  @ObservationIgnored private(set) lazy var gallery = GalleryModel(
    cells: cells, seed: seed, clock: clock, scheduler: scheduler)
  @ObservationIgnored private(set) lazy var catalog = CatalogModel(
    clock: clock, scheduler: scheduler)
  @ObservationIgnored private let cells: Int
  @ObservationIgnored private let seed: UInt64
  @ObservationIgnored private let clock: AnyClock
  @ObservationIgnored private let scheduler: LoadScheduler

  /// - Parameters:
  ///   - socks: has what opens the drawer, or an open one.
  ///   - cells: how many the gallery has.
  ///   - seed: where the gallery's chance begins.
  init(
    part: Part = .articles, source: ArticleSource, browser: Browser,
    socks: Resource<DrawerModel>, cells: Int = 100, seed: UInt64 = 1, clock: AnyClock = .terminal,
    scheduler: LoadScheduler = .terminal
  ) {
    self.part = part
    self.socks = socks
    self.cells = cells
    self.seed = seed
    self.clock = clock
    self.scheduler = scheduler
    reader = ReaderModel(source: source, browser: browser, clock: clock, scheduler: scheduler)
  }

  /// What is still to be kept.
  var work: UnfinishedWork {
    UnfinishedWork(
      isPending: { [socks] in socks.latestValue?.drawer.isSaving ?? false },
      finish: { [socks] in await socks.latestValue?.drawer.finish() })
  }
}
