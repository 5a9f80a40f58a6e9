import Articles
import TerminalUI

/// A sheet with files that an article encloses, from which the user chooses one to download or play.
struct EnclosureSheet: View {
  let files: [Attachment]
  let model: ReaderModel
  /// The size of the whole screen.
  let size: Size
  let submitLabel: String
  let choose: @MainActor (Attachment) -> Void
  @State private var selection: String?

  private static let width = 72
  /// With fewer columns than this, only the names of the files have room.
  private static let widthForWords = 40

  var body: some View {
    let names = files.names
    List(
      files, id: \.address, selection: $selection, submitLabel: submitLabel, onSubmit: choose
    ) { enclosure in
      HStack {
        Text(names[enclosure.address] ?? enclosure.fileName).truncationMode(.middle).lineLimit(1)
        if size.width >= Self.widthForWords {
          Spacer()
          Text(words(enclosure)).foregroundStyle(\.secondary).lineLimit(1).layoutPriority(1)
        }
      }
    }
    .frame(idealWidth: Self.width, maxWidth: Self.width, maxHeight: max(1, files.count))
    .defaultFocus()
  }

  /// The state of the file if it is in the queue, or else its kind, length and size.
  private func words(_ enclosure: Attachment) -> String {
    let known = model.downloads.all.first { $0.enclosure.address == enclosure.address }
    return known.map { model.downloads.words($0) } ?? enclosure.summary
  }
}
