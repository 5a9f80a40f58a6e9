import Loading
import Observation
import TerminalUI

/// Which page of the catalog is open, and what is on those that were.
@MainActor
@Observable
final class CatalogModel {
  let pages: [CatalogPage]
  var selected: CatalogPage.ID {
    didSet { isCopied = false }
  }
  /// Whether the Swift of the page has the room of the events.
  var showsCode = false
  /// Whether the Swift that is on the screen was copied.
  private(set) var isCopied = false
  let faults: FaultModel
  let toasts = ToastQueue()
  @ObservationIgnored private let runtime: SceneRuntime
  @ObservationIgnored private var opened: [CatalogPage.ID: PageContent] = [:]
  /// The states that were forced on each page, the newest last.
  private var forced: [CatalogPage.ID: [PageEvent]] = [:]
  private static let forcedCapacity = 64

  init(
    _ runtime: SceneRuntime, pages: [CatalogPage] = CatalogPage.all, opening page: String? = nil
  ) {
    self.runtime = runtime
    self.pages = pages
    faults = FaultModel(runtime.faults)
    selected = page ?? pages[0].id
  }

  var index: Int { pages.firstIndex { $0.id == selected } ?? 0 }
  var page: CatalogPage { pages[index] }

  /// What is on the open page: as it was left.
  var content: PageContent {
    let page = page
    if let content = opened[page.id] { return content }
    let content = page.open(runtime)
    opened[page.id] = content
    return content
  }

  /// What can be chosen: for the page, and what goes wrong on all of them.
  var options: [CatalogOption] {
    content.options
      + faults.options.map { option in
        var option = option
        option.isOfEveryPage = true
        return option
      }
  }

  /// The states that can be forced, and what is done about loads that are held.
  var actions: [CatalogAction] { content.actions + faults.actions }

  /// Forces a state of the page.
  ///
  /// That it was asked for is in the timeline also where nothing comes of it: a load that has ended
  /// already cannot be cancelled, and a resource that takes another's place begins with nothing.
  func force(_ action: CatalogAction) {
    let event = PageEvent(at: runtime.clock.now, line: "› \(action.name)", isForced: true)
    forced[selected, default: []].append(event)
    if forced[selected, default: []].count > Self.forcedCapacity { forced[selected]?.removeFirst() }
    action.perform()
  }

  /// What was asked for on the page and what happened to it, the newest last.
  var timeline: [PageEvent] { (forced[selected, default: []] + content.events()).inOrder }

  /// Goes to another page: 1 to the next, -1 to the one before, round and round.
  func turn(by step: Int) {
    selected = pages[(index + step + pages.count) % pages.count].id
  }

  /// Copies the Swift of the page.
  func copyCode(by copyText: (String) -> Void) {
    copyText(content.code())
    isCopied = true
  }
}
