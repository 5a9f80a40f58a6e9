// swift-tools-version: 6.2
import PackageDescription

// The parsers alone, built with libFuzzer's counters and the address sanitizer: the same files as
// in the program, without what they do not need.
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
    .target(
      name: "Articles", dependencies: ["CXML", "CGumbo", "CCmark"],
      sources: [
        "Feeds", "Documents", "Markdown/FrontMatter.swift", "Markdown/MarkdownText.swift",
        "Library/PersonMessage.swift",
      ],
      swiftSettings: instrumented + [.unsafeFlags(["-enable-testing"])]),
    // libFuzzer's own entry, for a program that has a `main`.
    .target(name: "CFuzzer"),
    .executableTarget(
      name: "fuzz", dependencies: ["Articles", "CFuzzer"], swiftSettings: instrumented,
      linkerSettings: [
        .unsafeFlags(["-sanitize=address", "-sanitize=fuzzer", "-use-ld=lld"])
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c2x
)
