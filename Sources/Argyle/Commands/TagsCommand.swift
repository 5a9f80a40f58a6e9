import ArgumentParser
import Articles

/// The `tags` command: lists the tags of articles.
struct TagsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags", abstract: "List the tags of articles.",
    discussion: """
      Each with the number of its articles, and how many of them are unread. argyle articles mark \
      --tag and --untag give tags to articles and take them away; the query tag:name finds the articles \
      that have one, and those of feeds that have it. The tags of feeds are in argyle feeds list.
      """)
  @OptionGroup var options: LibraryOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let tags = try await options.library().storedArticleTags()
    let note = "No article has a tag. To give one: argyle articles mark NUMBER --tag NAME"
    try output.print(tags, noteIfEmpty: note) {
      tags.map { tag in
        let unread = tag.unreadCount == 0 ? "" : ", \(tag.unreadCount) unread"
        return "\(printable(tag.name)): \(counted(tag.articleCount, "article"))\(unread)"
      }
      .joined(separator: "\n")
    }
  }
}
