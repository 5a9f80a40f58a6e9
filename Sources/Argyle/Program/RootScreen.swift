import TerminalUI

/// The program's root screen: its parts behind tabs.
struct RootScreen: View {
  let model: ProgramModel
  let days: DayText
  @Environment(\.perform) private var perform
  @Environment(\.terminal) private var terminal

  /// Whether the part on the screen is scripted, so that the user can choose faults for it.
  private var showsFaults: Bool {
    model.isScripted || model.part == .gallery || model.part == .catalog
  }

  /// The reader's message, while its tab is open; the download queue shows its own in its sheet.
  private var notice: Notice? {
    let isHere = model.part == .articles && model.reader.sheet != .downloads
    return isHere ? model.reader.notice(inDownloads: false) : nil
  }

  var body: some View {
    ProgramFrame(notice: notice, work: model.work) {
      TabView(selection: Binding(model, \.part), heightForBar: model.tabs.count > 1 ? 6 : .max) {
        if model.tabs.contains(.articles) {
          Tab("Articles", value: ProgramModel.Part.articles) {
            ReaderScreen(model: model.reader, days: days)
          }
        }
        if model.tabs.contains(.socks) {
          Tab("Socks", value: ProgramModel.Part.socks) {
            AsyncContentView(model.socks) { DrawerScreen(model: $0, days: days) }
              .accessibilityLabel("Socks")
          }
        }
        if model.tabs.contains(.gallery) {
          Tab("Gallery", value: ProgramModel.Part.gallery) {
            GalleryScreen(model: model.gallery)
          }
        }
        if model.tabs.contains(.catalog) {
          Tab("Catalog", value: ProgramModel.Part.catalog) {
            CatalogScreen(model: model.catalog)
          }
        }
      }
      // Here, because a mark may fail while an article or another tab covers the lists.
      .failedChanges(of: model.reader.marks, in: model.toasts) { [reader = model.reader] in
        reader.unsavedMarks[$0]?.loss(reader)
      }
      .failedChanges(of: model.reader.closedFolders, in: model.toasts) { _ in
        ReaderModel.lossOfFolders
      }
      .failedChanges(of: model.reader.storedArrangements, in: model.toasts) { _ in
        ReaderModel.lossOfArrangements
      }
      .toasts(model.toasts)
      .onKeyPress(
        model.macros.map { macro in
          KeyBinding(sequences: macro.keys, label: macro.name, footer: .ifRoom) {
            model.run(macro, perform)
          }
          .shown(whileAvailable: macro.actions.first)
        })
    }
    .environment(showsFaults ? model.scripted.faultModel : nil)
    .following(model.socks.latestValue, toasts: model.toasts)
    .onChange(of: model.title, initial: true) { terminal?.setTitle($1) }
    .onChange(of: model.reader.arrivalWords) { _, words in
      if let words, let kind = model.settings.current.notification {
        terminal?.notify(words.text, title: "Argyle", by: kind)
      }
    }
    .task { await model.reader.followChanges() }
    .task { await model.reader.followOthers() }
    .task { await model.reader.followFetches() }
    .task(id: model.reader.nextReload) { await model.reader.reloadWhenDue() }
    .onChange(of: model.reader.scheduledReload.latestValue) { _, _ in model.reader.readAgain() }
    .task { await model.reader.followAccounts() }
    .task(id: model.reader.nextSendings) { await model.reader.sendWhenDue() }
    .task { await model.settings.follow() }
    .onChange(of: model.settings.failureCount) { model.tellOfSettings() }
  }
}
