import Loading
import Observation
import TerminalUI

/// The parts of the program, and which of them is shown.
@MainActor
@Observable
final class ProgramModel {
  enum Part: String, CaseIterable, Sendable {
    case articles, socks, gallery, catalog
  }

  var part: Part
  /// The parts that have a tab, in order.
  private(set) var tabs = Part.allCases
  let settings: LiveSettings
  /// The macros of the settings: keys that perform several actions.
  private(set) var macros: [Macro] = []
  let reader: ReaderModel
  /// The drawer, opened when its tab is first shown.
  ///
  /// A drawer file that cannot be used is reported there, and does not affect the reader.
  let socks: Resource<DrawerModel>
  /// Short messages about failures.
  let toasts = ToastQueue()
  // Made when first shown, so that they do not delay the reader's start.
  @ObservationIgnored private(set) lazy var gallery = GalleryModel(cells: scripted.cells, scripted)
  @ObservationIgnored private(set) lazy var catalog = CatalogModel(
    scripted, toasts: toasts, copyRefusal: { [reader] in reader.copyRefusal })
  /// The scripted runtime of the gallery and the catalog, which load nothing from disk or network.
  let scripted: SceneRuntime
  /// Whether all of the program is scripted, as in a demonstration: nothing is loaded from disk or
  /// network.
  let isScripted: Bool
  @ObservationIgnored private let clock: AnyClock
  /// The theme that the user was told does not exist any more.
  @ObservationIgnored private var missingTheme: String?

  /// - Parameters:
  ///   - part: the part that is shown first; nil for the one that the settings name.
  ///   - socks: opens the drawer, or contains an open one.
  ///   - seed: the seed of the gallery's random numbers.
  ///   - scripted: the runtime of the gallery and the catalog; by default one on the program's
  ///     clock.
  init(
    settings: LiveSettings = LiveSettings(Settings(environment: [:])), part: Part? = nil,
    source: ArticleSource, socks: Resource<DrawerModel>, pictures: PictureSupply,
    seed: UInt64 = 1, scripted: SceneRuntime? = nil, clock: AnyClock = .terminal,
    scheduler: LoadScheduler = .terminal
  ) {
    self.settings = settings
    self.part = part ?? settings.current.configuration.openTab
    self.socks = socks
    isScripted = scripted != nil
    self.scripted = scripted ?? SceneRuntime(clock: clock, scheduler: scheduler, seed: seed)
    self.clock = clock
    reader = ReaderModel(
      source: source, pictures: pictures, clock: clock, scheduler: scheduler)
    settings.apply { [weak self] settings in self?.tell(ofTheme: settings.unknownTheme) }
    settings.apply { [weak self] settings in
      guard let self, macros != settings.configuration.macros else { return }
      macros = settings.configuration.macros
    }
    settings.apply { [weak self] settings in
      guard let self else { return }
      var tabs = settings.configuration.tabs
      // A part that was named on the command line has its tab, whatever the settings say.
      if let part, !tabs.contains(part) { tabs.append(part) }
      if self.tabs != tabs { self.tabs = tabs }
      if let first = tabs.first, !tabs.contains(self.part) { self.part = first }
    }
    reader.editConfiguration = { [settings] in await settings.edit($0) }
    settings.apply { [reader] settings in
      reader.programSettings = settings
      reader.apply(settings.configuration.reader)
      if reader.searches != settings.configuration.searches {
        reader.searches = settings.configuration.searches
      }
      reader.downloads.limit.count = settings.configuration.podcasts.parallel
    }
  }

  /// Shows a message for some seconds, or until the file is written again, that the latest edit of
  /// the configuration file could not be applied.
  func tellOfSettings() {
    guard let failure = settings.failure else { return }
    toasts.show(
      failure.summary,
      while: { [settings, number = settings.failureCount] in
        settings.failure != nil && settings.failureCount == number
      })
  }

  /// Says that the theme of an option or of the environment was removed from the configuration file.
  ///
  /// - Parameter name: the theme that does not exist; nil if there is none.
  private func tell(ofTheme name: String?) {
    guard name != missingTheme else { return }
    missingTheme = name
    guard let name else { return }
    toasts.show(
      "The theme “\(name)” is not in the configuration file any more. Put it back to see it.",
      while: { [settings] in settings.current.unknownTheme == name })
  }

  /// The title of the terminal's window.
  var title: String {
    let unread = reader.unreadCount
    return unread > 0 ? "(\(unread)) argyle" : "argyle"
  }

  /// Performs the actions of a macro, and says which of them is not possible here.
  func run(_ macro: Macro, _ perform: PerformAction?) {
    perform?(macro.actions, while: { [reader] in reader.isGoingOn }) { [toasts] action in
      toasts.show("\(macro.name): “\(action.label)” cannot be done here.")
    }
  }

  /// What is saved before the program ends.
  @ObservationIgnored private(set) lazy var work = UnfinishedWork(clock: clock) {
    [reader, socks] in
    let changes: [(any UnsavedChanges)?] = [reader.places, reader, socks.latestValue]
    return changes.compactMap(\.self)
  }
}
