// swift-tools-version: 6.3
import PackageDescription

// What reads bytes from outside, built with libFuzzer's counters and the address sanitizer: the same
// files as in the program, without what they do not need.
let instrumented: [SwiftSetting] = [
  .unsafeFlags(["-sanitize=address", "-sanitize=fuzzer", "-parse-as-library", "-O"])
]

let package = Package(
  name: "fuzzing",
  platforms: [.macOS(.v15)],
  targets: [
    .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0"),
    .systemLibrary(name: "CGumbo", pkgConfig: "gumbo"),
    .systemLibrary(name: "CCmark", pkgConfig: "libcmark-gfm"),
    .target(name: "Limits", swiftSettings: instrumented),
    .target(name: "UserErrors", swiftSettings: instrumented),
    .target(name: "Storage", sources: ["UserHome.swift"], swiftSettings: instrumented),
    .target(name: "HTTP", sources: ["HTTPError.swift"], swiftSettings: instrumented),
    .target(
      name: "Loading", sources: ["Operators/RetryAdvice.swift"], swiftSettings: instrumented),
    .target(
      name: "Articles",
      dependencies: [
        "HTTP", "Limits", "Loading", "Storage", "UserErrors", "CXML", "CGumbo", "CCmark",
      ],
      sources: [
        "Feeds", "Documents", "Extraction", "Subscriptions/NewsboatList.swift",
        "Subscriptions/NewsboatQuery.swift",
        "Subscriptions/OPML.swift",
        "Subscriptions/OPMLBuilder.swift", "Subscriptions/OPMLWriter.swift",
        "Subscriptions/Subscription.swift",
        "Markdown/FrontMatter.swift", "Markdown/MarkdownText.swift", "Library/FeedAddress.swift",
        "Library/FeedCredentials.swift", "Library/FeedProgram.swift", "Library/UserMessage.swift",
        "Podcasts/Chapter.swift", "Podcasts/Transcript.swift", "Podcasts/TranscriptFormat.swift",
        "Podcasts/TranscriptReader.swift", "Syncing/FeverAnswer.swift",
        "Syncing/GoogleReaderAnswers.swift", "Syncing/GoogleReaderItem.swift",
        "Syncing/ServerAnswer.swift", "Syncing/SyncAccount.swift", "Syncing/SyncServer.swift",
      ],
      swiftSettings: instrumented + [.unsafeFlags(["-enable-testing"])]),
    .target(
      name: "Terminal",
      sources: [
        "Cells/Color.swift", "Cells/Geometry.swift", "Cells/Glyph.swift",
        "Input/ControlSequence.swift",
        "Input/InputDecoder.swift", "Input/InputEvent.swift", "Input/KeyPress.swift",
        "Text/Glyphs.swift", "Text/WidthTable.swift",
      ],
      swiftSettings: instrumented + [.unsafeFlags(["-enable-testing"])]),
    // What reads the configuration, before it is known what any of it means.
    .target(
      name: "Argyle", dependencies: ["Limits"], sources: ["Configuration/TOML"],
      swiftSettings: instrumented + [.unsafeFlags(["-enable-testing"])]),
    // libFuzzer's own entry, for a program that has a `main`.
    .target(name: "CFuzzer"),
    .executableTarget(
      name: "fuzz", dependencies: ["Argyle", "Articles", "Limits", "Terminal", "CFuzzer"],
      swiftSettings: instrumented,
      linkerSettings: [
        .unsafeFlags(["-sanitize=address", "-sanitize=fuzzer", "-use-ld=lld"])
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x
)
