import Foundation
import PseudoTerminal
import TestServer
import Testing

/// Tests of what commands say about options that make no sense, and of how they read paths.
struct CommandMistakeTests {
  private let home: Home
  private let server: TestServer

  init() throws {
    home = try Home()
    server = try TestServer()
    server["/a"] = .whole(FeedText.rss("Alpha", ["Apple", "Apricot"]))
  }

  @Test(arguments: [
    (["articles", "list", "--limit", "-5"], "limit"), (["articles", "list", "-l", "-5"], "limit"),
    (["rules", "preview", "--limit", "-1"], "limit"), (["demo", "--speed", "-1"], "speed"),
    (["demo", "--cells", "-3"], "cells"),
  ])
  func `a number below zero is refused with the reason`(arguments: [String], word: String) throws {
    let refused = try home.run(arguments)
    #expect(refused.ending == .exited(64))
    #expect(refused.errors.contains(word), "\(refused.errors)")
    #expect(!refused.errors.contains("Unknown"), "\(refused.errors)")
  }

  @Test func `the options of all commands may stand before help`() throws {
    let help = try home.run("--data-dir", home.path, "help", "feeds")
    #expect(help.ending == .exited(0))
    #expect(help.output == (try home.run("help", "feeds")).output)
  }

  @Test func `a tilde that the shell has left is the home`() throws {
    try home.write("[display]\nplain = true\n", to: "c.toml")
    let tags = try home.run(
      "tags", "--data-dir=~/data-here", "--config=~/c.toml", "--log=~/log", adding: [:])
    #expect(tags.ending == .exited(0), "\(tags.errors)")
    _ = try home.run("tags", adding: ["ARGYLE_LOG": "~/other-log"])
    for name in ["data-here", "log", "other-log"] {
      #expect(FileManager.default.fileExists(atPath: home.path + "/" + name), "\(name)")
    }
  }
}
