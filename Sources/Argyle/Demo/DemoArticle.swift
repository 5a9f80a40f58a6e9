/// An article that exists in demonstrations only.
struct DemoArticle {
  let title: String
  let author: String
  /// Hours before ``DayText/demo``.
  let hoursAgo: Double
  let html: String
  var isRead = false
  var isStarred = false

  static let feeds: [(title: String, articles: [DemoArticle])] = [
    (
      "Cold Starts",
      [
        DemoArticle(
          title: "Three milliseconds, and where they went", author: "Ines Abara",
          hoursAgo: 37,
          html: """
            <p>A program that starts in three milliseconds feels like a light switch. One that takes
            three hundred feels like asking a colleague to get up and press it for you.</p>
            <p>So I traced every one of mine. Two went to libraries that a first screen never calls.
            The third went to a date formatter, which was asked for <em>one</em> date.</p>
            <h2>What helped</h2>
            <ul><li>Nothing that is not on the first screen runs before it.</li>
            <li>A date is arithmetic: days, eras, a table of twelve names.</li>
            <li>What is slow to link lives in a process of its own.</li></ul>
            """, isStarred: true),
        DemoArticle(
          title: "Nobody measures the second start", author: "Ines Abara",
          hoursAgo: 293,
          html: """
            <p>The first start of the day is the one in the benchmark. The second one, ten minutes
            later and with everything still in memory, is the one that people have.</p>
            """, isRead: true),
      ]
    ),
    (
      "Letters from a Small Server",
      [
        DemoArticle(
          title: "Please stop asking me every four seconds", author: "A small server",
          hoursAgo: 24,
          html: """
            <p>Dear client,</p>
            <p>I remember you. I remember what I told you last time, and I gave you a tag so that you
            need not remember it yourself. Show me the tag and I can say <code>304</code>, which is
            the shortest kind thing I know.</p>
            <blockquote><p>If nothing has changed, let us both rest.</p></blockquote>
            """),
        DemoArticle(
          title: "On being restarted", author: "A small server", hoursAgo: 496,
          html: """
            <p>It is not so bad. Everything that mattered was on the disk. What was not on the disk,
            it turns out, did not matter.</p>
            """, isRead: true),
      ]
    ),
    (
      "端末だより",
      [
        DemoArticle(
          title: "全角と半角のあいだ", author: "小林 文", hoursAgo: 82,
          html: """
            <p>一つの文字が二つの桁を占めるとき、画面は約束になります。左の半分を消したら、
            右の半分も消さなければなりません。</p>
            <p>A wide character is a promise about two columns. Whoever overwrites one of them has
            to keep it for both.</p>
            """)
      ]
    ),
    (
      "The Drawer",
      [
        DemoArticle(
          title: "A taxonomy of odd socks", author: "Maud Lindqvist", hoursAgo: 156,
          html: """
            <p>There are three kinds: the widowed, the divorced, and those that were never a pair to
            begin with but have been through so much together that nobody says so.</p>
            """, isRead: true),
        DemoArticle(
          title: "Wool remembers", author: "Maud Lindqvist", hoursAgo: 650,
          html: """
            <p>Wash it warm once and it will tell everybody. This is called state, and it is why we
            keep the label.</p>
            """, isRead: true, isStarred: true),
      ]
    ),
  ]
}
