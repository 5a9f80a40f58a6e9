/// What is said, where it is read out instead of looked at, when a part of the screen changes.
///
/// In plain mode the last row of the screen is for it.
@MainActor
struct Announcer {
  /// What was said of each part that is on the screen.
  private var known: [ViewPath: String] = [:]
  /// The line as it was last.
  private var line = ""

  /// The line for a frame: what is new in it, or what was said last.
  func line(for declarations: Declarations) -> String {
    let news = declarations.announcements.filter { known[$0.path] != $0.text && !$0.text.isEmpty }
    return news.isEmpty ? line : news.map(\.text).joined(separator: " ")
  }

  /// What is known once a frame is shown.
  func presented(_ declarations: Declarations) -> Announcer {
    var next = self
    next.line = line(for: declarations)
    next.known = Dictionary(declarations.announcements.map { ($0.path, $0.text) }) { _, last in last
    }
    return next
  }
}

extension View {
  /// Says a text in plain mode when it comes on the screen and when it is another one; the empty text is
  /// silence.
  public func announced(_ text: String) -> some View {
    Modified(self, role: .content) { context, node in AnnouncementNode(context, node, text: text) }
  }
}

private final class AnnouncementNode: WrapperNode {
  private let text: String

  init(_ context: ViewContext, _ content: Node, text: String) {
    self.text = text
    super.init(context, content)
  }

  override func draw(in region: Region) {
    if !environment.isInert, region.isOnScreen {
      frame.declare(.announcement(path: context.path, text: text))
    }
    super.draw(in: region)
  }
}
