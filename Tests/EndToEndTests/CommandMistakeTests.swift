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

  @Test(arguments: [
    ["feeds", "add", "http://a.example", "--keep", "--account", "x"],
    ["config", "--print-default", "file"], ["config", "--print-default", "--config", "file"],
    ["config", "file", "--config", "file"], ["config", "--log", "file"],
    ["articles", "list", "--json", "--row", "{title}"],
    ["articles", "mark", "1", "--tag", "Été", "--untag", "ete"],
    ["feeds", "set", "Alpha", "--tag", "a", "--untag", "A"],
  ])
  func `options of which one would do nothing are refused together`(arguments: [String]) throws {
    let refused = try home.run(arguments)
    #expect(refused.ending == .exited(64))
    #expect(refused.errors.contains("Usage: argyle \(arguments[0])"), "\(refused.errors)")
  }

  @Test(arguments: [["-cotton"], ["wool", "-cotton"]])
  func `a term of a search that looks like an option is said to need two dashes`(
    words: [String]
  ) throws {
    let refused = try home.run(["articles", "search"] + words)
    #expect(refused.ending == .exited(64))
    #expect(
      refused.errors.contains("\nIf “-cotton” is no option, write -- before it.\n"),
      "\(refused.errors)")
    #expect(try !home.run("articles", "search").errors.contains("write --"))
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

  @Test func `the configuration is not printed into its own file`() throws {
    let config = try home.write("[display]\nplain = true\n", to: "config.toml")
    func printed(_ arguments: String...) throws -> (PseudoTerminal.Ending, errors: String) {
      let terminal = try PseudoTerminal(
        running: builtProgram("argyle"), ["config"] + arguments, environment: home.environment,
        redirectingOutputTo: config)
      return (try terminal.waitForExit(), String(decoding: terminal.output, as: UTF8.self))
    }
    let refused = try printed(config)
    #expect(refused.0 == .exited(73))
    #expect(refused.errors.contains("The output goes into the configuration file"))
    #expect(try printed("--print-default").0 == .exited(0))
    #expect(try home.text(of: "config.toml").contains("open-tab = "))
    #expect(try home.run("config", config).ending == .exited(0))
  }

  @Test func `a file that cannot be read is named with what to do`() throws {
    let missing = try home.run("tags", "--config", home.path + "/none.toml")
    #expect(missing.ending == .exited(78))
    #expect(
      missing.errors.hasSuffix("No such file or directory. Check its path and permissions.\n"))
  }

  @Test func `a name that fits several feeds has another status than one that fits none`() throws {
    server["/b"] = .whole(FeedText.rss("Alpha", ["Cherry"]))
    _ = try home.run("feeds", "add", server.url("/a"), server.url("/b"))
    #expect(try home.run("feeds", "remove", "Alpha").ending == .exited(65))
    #expect(try home.run("feeds", "remove", "Beta").ending == .exited(66))
  }

  @Test func `an article that is named twice is marked, and printed each time`() throws {
    _ = try home.run("feeds", "add", server.url("/a"))
    let marked = try home.run("articles", "mark", "1", "2", "1", "--read", "--json")
    #expect(marked.ending == .exited(0))
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(marked.output.utf8)) as? [[String: Any]])
    #expect(answer.compactMap { $0["id"] as? Int } == [1, 2, 1])
    #expect(answer.allSatisfy { $0["read"] as? Bool == true })
  }
}
