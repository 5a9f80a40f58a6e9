import Loading
import Observation
import TerminalUI

/// The parts of the program, and which of them shows.
@MainActor
@Observable
final class ProgramModel {
  enum Part: String, CaseIterable, Sendable {
    case articles, socks, gallery, catalog
  }

  var part: Part
  /// Which of them there are.
  private(set) var tabs = Part.allCases
  let settings: LiveSettings
  /// Several actions by one key, as the settings say.
  private(set) var macros: [Macro] = []
  let reader: ReaderModel
  /// The drawer, which is opened when somebody looks: a file that cannot be used is shown there, and
  /// keeps nobody from reading.
  let socks: Resource<DrawerModel>
  /// What went wrong in passing.
  let toasts = ToastQueue()
  // Made when somebody looks: the reader's start does not wait for them.
  @ObservationIgnored private(set) lazy var gallery = GalleryModel(cells: scripted.cells, scripted)
  @ObservationIgnored private(set) lazy var catalog = CatalogModel(scripted)
  /// What the gallery and the catalog run on: nothing in them is loaded from anywhere.
  let scripted: SceneRuntime
  /// Whether nothing in the whole program is loaded from anywhere, as in a demonstration.
  let isScripted: Bool
  @ObservationIgnored private let clock: AnyClock

  /// - Parameters:
  ///   - part: what is shown first; without one, what the settings say.
  ///   - socks: has what opens the drawer, or an open one.
  ///   - seed: where the chance of the gallery begins.
  ///   - scripted: what the gallery and the catalog run on; by default on the program's clock.
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
    settings.apply { [weak self] settings in
      guard let self, macros != settings.configuration.macros else { return }
      macros = settings.configuration.macros
    }
    settings.apply { [weak self] settings in
      guard let self else { return }
      var tabs = settings.configuration.tabs
      // A part that was named at the start has its tab, whatever the settings say.
      if let part, !tabs.contains(part) { tabs.append(part) }
      if self.tabs != tabs { self.tabs = tabs }
      if let first = tabs.first, !tabs.contains(self.part) { self.part = first }
    }
    reader.editConfiguration = { [settings] in await settings.edit($0) }
    settings.apply { [reader] settings in
      reader.browser = Browser(candidates: settings.configuration.browsers)
      reader.apply(settings.configuration.reader)
      if reader.searches != settings.configuration.searches {
        reader.searches = settings.configuration.searches
      }
      if reader.commands != settings.configuration.commands {
        reader.commands = settings.configuration.commands
      }
      let podcasts = settings.configuration.podcasts
      reader.downloads.player = podcasts.player
      reader.downloads.isPlayerInTerminal = podcasts.isPlayerInTerminal
      let fetching = settings.configuration.fetching
      reader.arrivalHook = fetching.onNew.isEmpty ? nil : ArrivalHook(words: fetching.onNew)
      reader.ringsBell = fetching.bell
      reader.notification = fetching.notifies ? settings.notification : nil
      if reader.quiet != fetching.quiet { reader.quiet = fetching.quiet }
      reader.isClipboardKnown = settings.isClipboardKnown
      reader.saveFolder = settings.saveFolder
    }
  }

  /// Says that an edit of the configuration file was not taken, until it is mended, for some seconds at
  /// most.
  func tell(_ failure: ConfigurationFailure?) {
    guard let failure else { return }
    toasts.show(
      failure.summary, while: { [settings] in settings.failure == failure })
  }

  /// What the title of the terminal's window says.
  var title: String {
    let unread = reader.unreadCount
    return unread > 0 ? "(\(unread)) argyle" : "argyle"
  }

  /// Does the actions of a macro, and says which of them cannot be done.
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
