/// Writes a list of feeds as OPML 2.0.
struct OPMLWriter {
  private(set) var output = ""

  /// A folder with its contents, in order.
  private struct Folder {
    var feeds: [Subscription] = []
    var names: [String] = []
    var folders: [String: Folder] = [:]

    /// Adds a feed to the folder at a path; nil only creates the folder.
    mutating func insert(_ feed: Subscription?, below path: ArraySlice<String>) {
      guard let name = path.first else {
        feeds += [feed].compactMap(\.self)
        return
      }
      if folders[name] == nil { names.append(name) }
      folders[name, default: Folder()].insert(feed, below: path.dropFirst())
    }
  }

  mutating func write(_ list: [Subscription], emptyFolders: [FeedFolder], title: String) {
    var root = Folder()
    for feed in list { root.insert(feed, below: (feed.folder?.path ?? [])[...]) }
    for folder in emptyFolders { root.insert(nil, below: folder.path[...]) }
    output = """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0">
        <head>
          <title>\(Self.escaped(title))</title>
        </head>
        <body>

      """
    write(root, depth: 2)
    output += "  </body>\n</opml>\n"
  }

  private mutating func write(_ folder: Folder, depth: Int) {
    let indent = String(repeating: "  ", count: depth)
    for feed in folder.feeds {
      output += indent + "<outline"
      write("text", feed.name ?? feed.title ?? feed.address)
      write("title", feed.title)
      if feed.others["type"] == nil { write("type", "rss") }
      write("xmlUrl", feed.address)
      write("htmlUrl", feed.site)
      write("category", feed.tags.isEmpty ? nil : feed.tags.joined(separator: ","))
      for (name, value) in feed.others.sorted(by: { $0.key < $1.key }) { write(name, value) }
      output += "/>\n"
    }
    for name in folder.names {
      guard let inner = folder.folders[name] else { continue }
      output += indent + "<outline"
      write("text", name)
      output += ">\n"
      write(inner, depth: depth + 1)
      output += indent + "</outline>\n"
    }
  }

  private mutating func write(_ name: String, _ value: String?) {
    guard let value else { return }
    output += " \(name)=\"\(Self.escaped(value))\""
  }

  private static func escaped(_ text: String) -> String {
    var output = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      // Unescaped, a parser would read them as spaces.
      case "\n", "\r", "\t": output.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
      // XML cannot represent these.
      case "\u{FFFE}", "\u{FFFF}": break
      // The list may be written to a terminal, which would interpret these.
      case _ where scalar.isControl: break
      default: output.append(contentsOf: (scalar.reference ?? String(scalar)).unicodeScalars)
      }
    }
    return String(output)
  }
}
