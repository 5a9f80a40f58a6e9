/// Composes the line that plain mode shows when a part of the screen changes, to be read aloud.
///
/// It is shown in the last row of the screen, if the screen has more than two rows.
@MainActor
struct Announcer {
  /// The last announcement of each part that is on the screen.
  private var known: [ViewPath: String] = [:]
  /// The line to show: the new announcements, or the previous line if there are none.
  private(set) var line = ""

  /// Returns the announcer of a frame, to be used for the next one once this one was presented.
  func next(_ announcements: [(path: ViewPath, text: String)]) -> Announcer {
    var next = self
    let news = announcements.filter { known[$0.path] != $0.text && !$0.text.isEmpty }
    if !news.isEmpty { next.line = news.map(\.text).joined(separator: " ") }
    next.known = Dictionary(announcements.map { ($0.path, $0.text) }) { _, last in last }
    return next
  }
}

extension View {
  /// Announces a text in plain mode when this view appears and whenever the text changes; an empty
  /// text announces nothing.
  public func announced(_ text: String) -> some View {
    drawn(role: .content) { context, content, region in
      if !context.environment.isInert, region.isOnScreen {
        context.frame.declare(.announcement(path: context.path, text: text))
      }
      content.draw(in: region)
    }
  }
}
