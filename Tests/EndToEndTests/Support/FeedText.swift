/// Feeds for the test server.
enum FeedText {
  /// Returns an RSS feed with an item for each title, the newest first.
  static func rss(_ title: String, _ items: [String]) -> String {
    // The program would treat articles at the same address as one.
    let folder = title.replacing(" ", with: "-")
    let items = items.enumerated().map { index, item in
      """
      <item><title>\(item)</title><link>http://example.org/\(folder)/\(index)</link>
      <guid>\(title)-\(item)</guid><pubDate>Mon, 02 Mar 2026 10:\(59 - index % 60):00 GMT</pubDate>
      <description>&lt;p&gt;The text of \(item).&lt;/p&gt;</description></item>
      """
    }
    return """
      <?xml version="1.0"?><rss version="2.0"><channel><title>\(title)</title>
      <link>http://example.org/</link>\(items.joined())</channel></rss>
      """
  }

  /// A large entity that is used many times.
  static let blowUp = """
    <?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "\(String(repeating: "a", count: 50_000))">]>
    <rss version="2.0"><channel><title>\(String(repeating: "&a;", count: 20_000))</title></channel></rss>
    """

  /// An entity that refers to a file of this machine.
  static let externalEntity = """
    <?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>
    <rss version="2.0"><channel><title>&x;</title></channel></rss>
    """

  /// Eight entities, each ten times as long as the one before.
  static let bomb: String = {
    let entities = (1...8).map { level in
      "<!ENTITY e\(level) \"\(String(repeating: "&e\(level - 1);", count: 10))\">"
    }
    return """
      <?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e0 "boom">\(entities.joined())]>
      <rss version="2.0"><channel><title>&e8;</title></channel></rss>
      """
  }()
}
