extension View {
  /// Shows a box in front of everything while `isPresented` is true; Esc closes it.
  ///
  /// While the sheet is shown, only its keys are in force. What is behind it is faint, except for
  /// failures, which have to be noticed. A view in it closes it by ``EnvironmentValues/dismiss``. If
  /// this view consists of several, they are stacked from top to bottom.
  ///
  /// - Parameters:
  ///   - isPresented: whether the sheet is shown; closing it sets this to false.
  ///   - onDismiss: is called once the sheet is no longer shown, however it was closed; not for one
  ///     that is closed while another screen covers it.
  ///   - title: the title in the border; nil for none.
  ///   - closeLabel: the word for Esc in the footer, such as “cancel” for a form, which no letter
  ///     closes; nil for “close”, and for `q` to close it, too.
  ///   - content: the view in the sheet.
  public func sheet<Sheet: View>(
    isPresented: Binding<Bool>, onDismiss: (@MainActor () -> Void)? = nil, title: String? = nil,
    closeLabel: String? = nil, @ViewBuilder content: @escaping () -> Sheet
  ) -> some View {
    let sheet = PresentedSheet(
      isPresented: isPresented, onDismiss: onDismiss, title: title, closeLabel: closeLabel
    ) { AnyView(content()) }
    return Modified(self, role: .content, isJoined: true) { sheet.node(around: $1, $0) }
  }

  /// Shows a box made from `item` in front of everything while `item` is not nil; Esc sets it to
  /// nil.
  ///
  /// An item with another id gets a new box: no state of the previous one is left.
  public func sheet<Item: Identifiable, Sheet: View>(
    item: Binding<Item?>, onDismiss: (@MainActor () -> Void)? = nil, title: String? = nil,
    closeLabel: String? = nil, @ViewBuilder content: @escaping (Item) -> Sheet
  ) -> some View {
    let isPresented = Binding(
      get: { item.wrappedValue != nil }, set: { if !$0 { item.wrappedValue = nil } })
    return sheet(
      isPresented: isPresented, onDismiss: onDismiss, title: title, closeLabel: closeLabel
    ) {
      if let item = item.wrappedValue { content(item).id(item.id) }
    }
  }
}

@MainActor
private struct PresentedSheet {
  let isPresented: Binding<Bool>
  let onDismiss: (@MainActor () -> Void)?
  let title: String?
  let closeLabel: String?
  let content: () -> AnyView

  func node(around node: Node, _ context: ViewContext) -> Node {
    // Read when the node is made: it rarely changes, and reading it in every frame would cost time.
    let isShown = context.reading { isPresented.wrappedValue }
    var inner = context.child(.role(.sheet)).dismissing { isPresented.wrappedValue = false }
    // What switches off, names or submits the view behind the sheet does not apply to the sheet,
    // which could otherwise not even be closed.
    inner.environment.isEnabled = true
    inner.environment.isMouseOnly = false
    inner.environment.prefersFocus = false
    inner.environment.submit = nil
    inner.environment.removeLabels()
    if isShown { context.owner.element?.hold(inner.path) }
    let dismissal = onDismiss.map { onDismiss in
      LifecycleEntry(
        path: context.path,
        // Of a view that is covered or has no room the sheet is still presented.
        kind: .appearance(
          appear: {}, disappear: { if !isPresented.wrappedValue { onDismiss() } }))
    }
    return DrawnNode(context, node) { context, content, region in
      content.draw(in: region)
      guard isShown, !context.environment.isInert else { return }
      let frame = context.frame
      if let dismissal { frame.declare(.lifecycle(dismissal)) }
      // Drawn after the screens, because it may list their keys and covers all of them.
      frame.declare(.sheet { [inner] in frame.inFront { draw(inner) } })
    }
  }

  /// The opacity of the screen behind the sheet.
  private static let opacityBehind = 0.45
  /// The least height of a sheet beside a message.
  private static let heightBesideMessage = 8

  private func draw(_ context: ViewContext) {
    let (environment, frame) = (context.environment, context.frame)
    if let closeLabel {
      // A letter that is typed between two fields must not throw away what is in them.
      let keys = environment.keyMap[.close].filter { $0.first.printable == nil }
      context.declare(
        KeyBinding(sequences: keys, label: closeLabel, footer: .first) { environment.dismiss() })
    } else {
      context.declare(action: .close, footer: .first) { environment.dismiss() }
    }
    // The sheet may list the keys of the screens, whose changes are not tracked.
    frame.tree?.element(at: context.path)?.forget()
    let node = context.hosted { [content, title] in
      ScrollView(fitting: content()).padding(.horizontal).border(title, color: \.accent)
    }
    let bounds = frame.bounds
    let failures = frame.declarations.failures
    // The last row is left to the footer, which shows the key that closes the sheet, and the rows
    // above it to a message about a failure, unless too little would be left.
    let message = failures.filter(\.isMessage).map(\.rect.minY).min()
    let end = message.flatMap { $0 < Self.heightBesideMessage ? nil : $0 } ?? bounds.height
    let room = max(3, min(end, bounds.height - 1))
    let proposed = node.expands(.vertical) ? room : nil
    let titleWidth = title.map { columns(of: $0) + 6 } ?? 0
    let width = min(
      bounds.width, max(node.size(ProposedSize(height: proposed)).width, titleWidth))
    let height = node.size(ProposedSize(width: width, height: proposed)).height
    let size = Size(width: width, height: min(room, height))
    var rect = Alignment.center.place(size, in: bounds)
    rect.move(by: Point(x: 0, y: min(0, room - rect.maxY)))
    let region = Region(rect: rect, clip: bounds, frame: frame)
    // In plain mode there is no border: text beside the box would seem to be part of it.
    let cover =
      environment.isPlain
      ? Rect(x: 0, y: region.rect.minY, width: bounds.width, height: size.height) : region.rect
    if !environment.isPlain {
      let kept = failures.map { (rect: $0.rect, cells: frame.cells.cells(in: $0.rect)) }
      let screen = Region(rect: bounds, clip: bounds, frame: frame)
      screen.fade(environment.theme, opacity: Self.opacityBehind)
      screen.paint { cells in
        for failure in kept { cells.replace(failure.rect, with: failure.cells) }
      }
    }
    Region(rect: cover, clip: bounds, frame: frame).fill(environment.style)
    node.draw(in: region)
  }
}
