import Testing

@testable import Argyle

/// Tests of each page of the catalog on a small screen, five seconds after it was opened.
@MainActor
@Suite struct PageFrameTests {
  @Test(arguments: pages.indices)
  func `a page looks as it did`(number: Int) throws {
    let keys = number == 0 ? "@0" : Array(repeating: "n", count: number).joined(separator: " ")
    let picture = try ScreenshotCommand.parse([
      "catalog", "--size", "60x16", "--reduce-motion", "--keys", keys, "--at", "5",
    ]).picture()
    let lines = picture.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      .dropLast(2)
    #expect(lines.joined(separator: "\n") == Self.pages[number])
  }

  @Test func `there is a frame for each page`() {
    #expect(Self.pages.count == CatalogPage.all.count)
  }

  // Without the tabs above and the footer below.
  private nonisolated static let pages = [
    """
     Styles  1/19  How a load is shown: at first, over a val…
    ╭─ Options ──────────────────╮ ╭─ Styles ──────────────────╮
    │ As in    ‹ article list ›▐ │ │ Grey wool, darned twice ▐ │
    │ First load  ‹ automatic ›  │ │ Striped, cotton         ▐ │
    │ · alignment    ‹ center ›  │ │ Left one of a pair      ▐ │
    │ · spacing           ‹ 1 ›  │ │ Argyle, of course       ▐ │
    │ · opacity         ‹ 1.0 ›  │ │ Hiking sock, still wet    │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    ╭─ States ───────────────────╮ ╭─ Events ──────────────────╮
    │ First load                 │ │  3.000 s #1: finished   ▐ │
    │ Load over a value          │ │          after 3.000 s  ▐ │
    │ Load after an error        │ │  0.000 s #1: started    ▐ │
    │ Cancel                     │ │          because it is    │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Indicators  2/19  What turns or glows, when it comes, h…
    ╭─ Options ──────────────────╮ ╭─ Indicators ──────────────╮
    │ Placeholder        ‹ on ›▐ │ │ Grey wool, darned twice ▐ │
    │ Redaction      ‹ blocks ›  │ │ Striped, cotton         ▐ │
    │ Own first view    ‹ off ›  │ │ Left one of a pair      ▐ │
    │ Own at first      ‹ off ›  │ │ Argyle, of course       ▐ │
    │ Own over a value  ‹ off ›  │ │ Hiking sock, still wet    │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    ╭─ States ───────────────────╮ ╭─ Events ──────────────────╮
    │ First load                 │ │  3.000 s #1: finished   ▐ │
    │ Load over a value          │ │          after 3.000 s  ▐ │
    │ Load after an error        │ │  0.000 s #1: started    ▐ │
    │ Cancel                     │ │          because it is    │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Errors  3/19  A failure with nothing to show, and one b…
    ╭─ Options ──────────────────╮ ╭─ Errors ──────────────────╮
    │ A failur…  keep the value▐ │ │ Grey wool, darned twice ▐ │
    │ Retry              ‹ on ›▐ │ │ Striped, cotton         ▐ │
    │ Own error view    ‹ off ›  │ │ Left one of a pair      ▐ │
    │ Placeholder        ‹ on ›  │ │ Argyle, of course       ▐ │
    │ Latency          ‹ none ›  │ │ Hiking sock, still wet    │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    ╭─ States ───────────────────╮ ╭─ Events ──────────────────╮
    │ Error                    ▐ │ │  3.000 s #1: finished   ▐ │
    │ Error of the first load  ▐ │ │          after 3.000 s  ▐ │
    │ Loaded                   ▐ │ │  0.000 s #1: started    ▐ │
    │ Load after an error        │ │          because it is    │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Idle  4/19  Before anything is loaded: by itself, or by…
    ╭─ Options ──────────────────╮ ╭─ Idle ────────────────────╮
    │ Starts       ‹ by a key ›▐ │ │                           │
    │ “Load” button     ‹ off ›▐ │ │                           │
    │ Placeholder        ‹ on ›▐ │ │         r to load         │
    │ Latency          ‹ none ›▐ │ │                           │
    │ Loads that fail  ‹ none ›  │ │                           │
    │ They fail with  no answer  │ ╰───────────────────────────╯
    ╰────────────────────────────╯ ╭─ Events ──────────────────╮
    ╭─ States ───────────────────╮ │                           │
    │ Reset                      │ │                           │
    │ Load                       │ │                           │
    │ Cancel                     │ │                           │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Empty  5/19  A value that has nothing to show.
    ╭─ Options ──────────────────╮ ╭─ Empty ───────────────────╮
    │ Own empty view      ‹ on › │ │                           │
    │ Latency           ‹ none › │ │                           │
    │ Loads that fail   ‹ none › │ │     No socks at all.      │
    │ They fail with   no answer │ │                           │
    │ Hold loads         ‹ off › │ │                           │
    │ Seed                 ‹ 1 › │ ╰───────────────────────────╯
    ╰────────────────────────────╯ ╭─ Events ──────────────────╮
    ╭─ States ───────────────────╮ │  0.000 s #1: was set      │
    │ Empty                      │ │                           │
    │ Loaded                     │ │                           │
    │ Load over a value          │ │                           │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Progress  6/19  How far a load has come: in words, in p…
    ╭─ Options ──────────────────╮ ╭─ Progress ────────────────╮
    │ Reported   ‹ in percent ›▐ │ │ Grey wool, darned twice ▐ │
    │ First load  ‹ automatic ›▐ │ │ Striped, cotton         ▐ │
    │ Over a value   ‹ bottom ›  │ │ Left one of a pair      ▐ │
    │ Placeholder        ‹ on ›  │ │ Argyle, of course       ▐ │
    │ Own indicator     ‹ off ›  │ │ Hiking sock, still wet    │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    ╭─ States ───────────────────╮ ╭─ Events ──────────────────╮
    │ Progress by one step       │ │  3.000 s #1: finished   ▐ │
    │ First load                 │ │          after 3.000 s    │
    │ Load over a value          │ │  2.400 s #1: at 80 %      │
    │ Cancel                     │ │          after 2.400 s    │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Modifying  7/19  Rows that are being changed, each with…
    ╭─ Options ──────────────────╮ ╭─ Modifying ───────────────╮
    │ Rows at once        ‹ 3 ›▐ │ │ Grey wool, darned twice ▐ │
    │ Shown       ‹ confirmed ›▐ │ │ Striped, cotton         ▐ │
    │ Latency          ‹ none ›▐ │ │ Left one of a pair      ▐ │
    │ Loads that fail  ‹ none ›▐ │ │ Argyle, of course       ▐ │
    │ They fail with  no answer▐ │ │ Hiking sock, still wet    │
    │ Hold loads        ‹ off ›  │ ╰───────────────────────────╯
    ╰────────────────────────────╯ ╭─ Events ──────────────────╮
    ╭─ States ───────────────────╮ │  0.000 s #1: was set      │
    │ A change that succeeds     │ │                           │
    │ A change that fails        │ │                           │
    │ Loaded                     │ │                           │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Mutations  8/19  A change that shows at once and is tak…
    ╭─ Options ──────────────────╮ ╭─ Mutations ───────────────╮
    │ Shown      ‹ optimistic ›▐ │ │ Grey wool, darned twice ▐ │
    │ Undo within       ‹ 0 s ›▐ │ │ Striped, cotton         ▐ │
    │ Latency          ‹ none ›▐ │ │ Left one of a pair      ▐ │
    │ Loads that fail  ‹ none ›  │ │ Argyle, of course       ▐ │
    │ They fail with  no answer  │ │ Hiking sock, still wet    │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    ╭─ States ───────────────────╮ ╭─ Events ──────────────────╮
    │ A change that succeeds     │ │  0.000 s #1: was set      │
    │ A change that fails        │ │                           │
    │ Undo                       │ │                           │
    │ A change during a load     │ │                           │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Retry & backoff  9/19  A load that tries again by itsel…
    ╭─ Options ──────────────────╮ ╭─ Retry & backoff ─────────╮
    │ Attempts            ‹ 5 ›▐ │ │ ✗ The post office is      │
    │ Fails         ‹ 3 times ›▐ │ │ closed.                   │
    │ First wait        ‹ 2 s ›  │ │ It is tried again automa… │
    │ Factor            ‹ 1.7 ›  │ │ Next try in 2 s.          │
    │ Time-out         ‹ none ›  │ │ r to retry                │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    ╭─ States ───────────────────╮ ╭─ Events ──────────────────╮
    │ Load                       │ │  3.053 s #1: attempt    ▐ │
    │ Retry now                  │ │          failed after     │
    │ Cancel                     │ │          3.053 s: The     │
    │ Reset                      │ │          post office is   │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Combine  10/19  A profile and its posts, as one value a…
    ╭─ Options ──────────────────╮ ╭─ Combine ─────────────────╮
    │ The posts   ‹ fail once ›▐ │ │ PartialResource: whateve… │
    │ Latency          ‹ none ›▐ │ │ Maud Lindqvist            │
    │ Loads that fail  ‹ none ›▐ │ │ Keeps a drawer of socks…  │
    │ They fail with  no answer▐ │ │                           │
    │ Hold loads        ‹ off ›  │ │  ✗ The posts… r to retry  │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    ╭─ States ───────────────────╮ ╭─ Events ──────────────────╮
    │ Load both again            │ │  1.400 s posts #1:      ▐ │
    │ Retry what failed          │ │          failed after     │
    │ Cancel                     │ │          1.400 s: The     │
    │ Reset                      │ │          posts could      │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Cache & refresh  11/19  A value that is loaded already,…
    ╭─ Options ──────────────────╮ ╭─ Cache & refresh ─────────╮
    │ Stale after       ‹ 5 s ›▐ │ │ 14° and rain, good        │
    │ Kept for        ‹ 1 min ›▐ │ │ weather for wool          │
    │ Refreshed       ‹ never ›▐ │ │                           │
    │ Latency          ‹ none ›▐ │ │ A fresh value is taken    │
    │ Loads that fail  ‹ none ›  │ │ from the cache without a… │
    │ They fail with  no answer  │ ╰───────────────────────────╯
    ╰────────────────────────────╯ ╭─ Events ──────────────────╮
    ╭─ States ───────────────────╮ │  1.000 s #1: finished   ▐ │
    │ Show it in another view    │ │          after 1.000 s  ▐ │
    │ Load, cache or not         │ │  0.000 s #1: started    ▐ │
    │ Forget the cached value    │ │          because it is    │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Paging  12/19  A list that grows as it is read, page by…
    ╭─ Options ──────────────────╮ ╭─ Paging ──────────────────╮
    │ Page size          ‹ 10 ›▐ │ │ Letter 1                ▐ │
    │ Ahead of the end    ‹ 3 ›▐ │ │ Letter 2                  │
    │ The third pa…  fails once▐ │ │ Letter 3                  │
    │ Latency          ‹ none ›  │ │ Letter 4                  │
    │ Loads that fail  ‹ none ›  │ │ 10 letters, and more      │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    ╭─ States ───────────────────╮ ╭─ Events ──────────────────╮
    │ Load the next page       ▐ │ │  0.800 s list #1:       ▐ │
    │ Load what is there again ▐ │ │          finished after ▐ │
    │ Load the first page again▐ │ │          0.800 s          │
    │ Retry the next page        │ │  0.000 s list #1:         │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Conversation  13/19  A history that opens in the middle…
    ╭─ Options ──────────────────╮ ╭─ Conversation ────────────╮
    │ Stored page   ‹ 2 h old ›▐ │ │ More above      as of now │
    │ Pages kept          ‹ 3 ›▐ │ │ 101 Maud The green one,   │
    │ Page size          ‹ 20 ›  │ │ with the hole.          ▐ │
    │ Earlier pages    ‹ load ›  │ │ 102 Ines They all have    │
    │ Later pages      ‹ load ›  │ │ 40 messages, more below   │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    ╭─ States ───────────────────╮ ╭─ Events ──────────────────╮
    │ Load the page before     ▐ │ │  1.600 s before: was    ▐ │
    │ Load the next page       ▐ │ │          reset            │
    │ Load what is there again   │ │  1.600 s before #1:       │
    │ A message arrives          │ │          finished after   │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Streams  14/19  A subscription that brings many values…
    ╭─ Options ──────────────────╮ ╭─ Streams ─────────────────╮
    │ A value every     ‹ 1 s ›▐ │ │ Counted: 3                │
    │ It ends         ‹ never ›▐ │ │ ▇▇▇                       │
    │ Equal v…  are shown again▐ │ │                           │
    │ Latency          ‹ none ›▐ │ │                           │
    │ Loads that fail  ‹ none ›  │ │                           │
    │ They fail with  no answer  │ ╰───────────────────────────╯
    ╰────────────────────────────╯ ╭─ Events ──────────────────╮
    ╭─ States ───────────────────╮ │  5.000 s #1: has a      ▐ │
    │ Subscribe again            │ │          value after      │
    │ Cancel                     │ │          5.000 s          │
    │ Reset                      │ │  4.000 s #1: has a        │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Limits & gallery  15/19  Many loads of which only some…
    ╭─ Options ──────────────────╮ ╭─ Limits & gallery ────────╮
    │ Loads at once       ‹ 4 ›▐ │ │1 failed 1 loaded          │
    │ Cells              ‹ 24 ›▐ │ │╭─ ▸ 1 ─────╮ ╭─ 2 ──────╮▐│
    │ Latency          ‹ none ›▐ │ ││  #E57B7B  │ │  ✗ none  │ │
    │ Loads that fail  ‹ none ›▐ │ │╰───────────╯ ╰──────────╯ │
    │ They fail with  no answer▐ │ │╭─ 3 ───────╮ ╭─ 4 ──────╮ │
    │ Hold loads        ‹ off ›  │ ╰───────────────────────────╯
    ╰────────────────────────────╯ ╭─ Events ──────────────────╮
    ╭─ States ───────────────────╮ │  1.829 s cell 1 #1:     ▐ │
    │ Load all again             │ │          finished after ▐ │
    │ Retry those that failed    │ │          1.829 s          │
    │ Cancel the selected one    │ │  0.000 s cell 1 #1:       │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Paused & offline  16/19  A load that waits for the netw…
    ╭─ Options ──────────────────╮ ╭─ Paused & offline ────────╮
    │ Network       ‹ offline ›▐ │ │                           │
    │ Refreshed       ‹ never ›▐ │ │                           │
    │ Latency          ‹ none ›▐ │ │     Paused (offline)      │
    │ Loads that fail  ‹ none ›  │ │                           │
    │ They fail with  no answer  │ │                           │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    ╭─ States ───────────────────╮ ╭─ Events ──────────────────╮
    │ Show it in another view    │ │  0.000 s #1: paused:    ▐ │
    │ Load all the same          │ │          offline        ▐ │
    │ Cancel                     │ │  0.000 s #1: started    ▐ │
    │ Reset                      │ │          because it is    │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     History  17/19  What a resource remembers: value, failu…
    ╭─ Options ──────────────────╮ ╭─ History ─────────────────╮
    │ A failur…  keep the value▐ │ │ state         idle        │
    │ Latency          ‹ none ›▐ │ │ strictly      idle        │
    │ Loads that fail  ‹ none ›▐ │ │ newest value  none        │
    │ They fail with  no answer▐ │ │ failure       none        │
    │ Hold loads        ‹ off ›  │ │ last result   none        │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    ╭─ States ───────────────────╮ ╭─ Events ──────────────────╮
    │ Load over a value        ▐ │ │                           │
    │ Loaded                   ▐ │ │                           │
    │ Empty                      │ │                           │
    │ Error                      │ │                           │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Search  18/19  A debounced search that no late answer c…
    ╭─ Options ──────────────────╮ ╭─ Search ──────────────────╮
    │ Debounced       ‹ 300 ms › │ │ Search type a few letters │
    │ Latency           ‹ none › │ │                           │
    │ Loads that fail   ‹ none › │ │   The titles that match   │
    │ They fail with   no answer │ │   appear here.            │
    │ Hold loads         ‹ off › │ │                           │
    │ Seed                 ‹ 1 › │ ╰───────────────────────────╯
    │                            │ ╭─ Events ──────────────────╮
    ╰────────────────────────────╯ │  0.000 s #1: was set      │
    ╭─ States ───────────────────╮ │                           │
    │ Type “so”, then “socks”    │ │                           │
    │ Clear                      │ │                           │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
    """
     Removing  19/19  Rows that are removed one by one; x re…
    ╭─ Options ──────────────────╮ ╭─ Removing ────────────────╮
    │ Shown       ‹ confirmed ›▐ │ │ Grey wool, darned twice ▐ │
    │ It takes        ‹ 1.5 s ›▐ │ │ Striped, cotton         ▐ │
    │ Latency          ‹ none ›▐ │ │ Left one of a pair      ▐ │
    │ Loads that fail  ‹ none ›▐ │ │ The one that is not yo…   │
    │ They fail with  no answer▐ │ │ Argyle, of course         │
    │ Hold loads        ‹ off ›  │ ╰───────────────────────────╯
    ╰────────────────────────────╯ ╭─ Events ──────────────────╮
    ╭─ States ───────────────────╮ │  0.000 s #1: finished   ▐ │
    │ Remove the first three     │ │          after 0.000 s  ▐ │
    │ Remove the one that stays  │ │  0.000 s #1: started    ▐ │
    │ Fill again                 │ │          because it is    │
    ╰────────────────────────────╯ ╰───────────────────────────╯
    """,
  ]
}
