import Loading
import Observation
import TerminalUI

/// The open page of the catalog, and the content of every page that was open before.
@MainActor
@Observable
final class CatalogModel {
  let pages: [CatalogPage]
  var selected: CatalogPage.ID
  /// Whether the page's Swift is shown in the place of its events.
  var showsCode = false
  /// How often the user has tried to copy the Swift of a page.
  private var copyCount = 0
  @ObservationIgnored private let runtime: SceneRuntime
  /// Returns why nothing is copied; nil if it is.
  @ObservationIgnored private let copyRefusal: @MainActor () -> String?
  /// Where it says what became of copying.
  @ObservationIgnored private let toasts: ToastQueue
  @ObservationIgnored private var opened: [CatalogPage.ID: PageContent] = [:]
  /// The states that were forced on each page, the newest last.
  private var forced: [CatalogPage.ID: [PageEvent]] = [:]
  private static let forcedCapacity = 64

  init(
    _ runtime: SceneRuntime, pages: [CatalogPage] = CatalogPage.all, opening page: String? = nil,
    toasts: ToastQueue, copyRefusal: @escaping @MainActor () -> String? = { nil }
  ) {
    self.runtime = runtime
    self.toasts = toasts
    self.copyRefusal = copyRefusal
    self.pages = pages
    selected = page ?? pages[0].id
  }

  /// The faults that the user chooses here and in the sheet of faults.
  var faults: FaultModel { runtime.faultModel }
  var index: Int { pages.firstIndex { $0.id == selected } ?? 0 }
  var page: CatalogPage { pages[index] }

  /// The content of the open page, in the state in which the user left it.
  var content: PageContent {
    let page = page
    if let content = opened[page.id] { return content }
    let content = page.open(runtime)
    opened[page.id] = content
    return content
  }

  /// The options of the page, followed by the faults, which apply to all pages.
  var options: [CatalogOption] {
    content.options
      + faults.options.map { option in
        var option = option
        option.isOfEveryPage = true
        return option
      }
  }

  /// The states that can be forced, and the actions on loads that the faults hold back.
  var actions: [CatalogAction] { content.actions + faults.actions }

  /// Forces a state of the page.
  ///
  /// The timeline shows the attempt even if nothing comes of it: a load that has ended already
  /// cannot be cancelled, and a new resource starts with an empty history.
  func force(_ action: CatalogAction) {
    let event = PageEvent(at: runtime.clock.now, line: "› \(action.name)", isForced: true)
    forced[selected, default: []].append(event)
    if forced[selected, default: []].count > Self.forcedCapacity { forced[selected]?.removeFirst() }
    action.perform()
  }

  /// What the user did on the page and what happened to it, the newest last.
  var timeline: [PageEvent] { (forced[selected, default: []] + content.events()).inOrder }

  /// Goes to another page: 1 for the next, -1 for the previous one, wrapping around at the ends.
  func turn(by step: Int) {
    selected = pages[(index + step + pages.count) % pages.count].id
  }

  /// Copies the Swift of the page, if the terminal may be asked to, and says so in a message.
  ///
  /// - Parameter copyText: returns whether the text was sent to the terminal.
  func copyCode(by copyText: (String) -> Bool) {
    copyCount += 1
    let words =
      if let refusal = copyRefusal() {
        refusal
      } else if copyText(content.code()) {
        "The Swift was copied."
      } else {
        "The Swift is too long to be copied by a terminal."
      }
    // The newest message replaces the one before.
    toasts.show(words, while: { [weak self, count = copyCount] in self?.copyCount == count })
  }
}
