import ArgumentParser
import Foundation
import Terminal
import Testing

@testable import Argyle

@MainActor
@Suite struct ScreenshotTests {
  private func picture(_ arguments: String...) throws -> String {
    try ScreenshotCommand.parse(arguments).picture()
  }

  private func complaint(_ arguments: String...) throws -> String {
    do {
      _ = try Argyle.parseAsRoot(["screenshot"] + arguments)
    } catch {
      #expect(Argyle.exitCode(for: error).rawValue == 64)
      return Argyle.message(for: error)
    }
    Issue.record("\(arguments) was taken")
    return ""
  }

  @Test(arguments: Scene.all.map(\.name), StillFormat.allCases)
  func `a scene drawn twice is the same, byte for byte`(scene: String, format: StillFormat) throws {
    let arguments = [
      scene, "--format", format.rawValue, "--keys", "@0.5 j tab k @1 r", "--at", "4",
    ]
    let command = try ScreenshotCommand.parse(arguments)
    #expect(try command.file() == command.file())
  }

  @Test func `a scene that does not exist is answered with those that do`() throws {
    let complaint = try complaint("artcles")
    #expect(complaint.contains("Unknown scene “artcles”."))
    for scene in Scene.all { #expect(complaint.contains(scene.name)) }
  }

  @Test func `a format that does not exist is answered with those that do`() throws {
    let complaint = try complaint("articles", "--format", "gif")
    for format in ["gif", "png", "text", "ansi", "svg"] { #expect(complaint.contains(format)) }
  }

  @Test func `a file name that ends like no format is refused, unless one is given`() throws {
    let complaint = try complaint("articles", "-o", "x.jpg")
    for word in [".jpg", ".svg", ".png", ".txt", "--format", "movie"] {
      #expect(complaint.contains(word))
    }
    for arguments in [
      ["-o", "x.jpg", "--format", "png"], ["-o", "some.folder/x"], ["-o", "-"], ["-o", "X.SVG"],
    ] {
      #expect(throws: Never.self) { try ScreenshotCommand.parse(["articles"] + arguments) }
    }
  }

  @Test func `a theme that does not exist is answered with those that do`() throws {
    let complaint = try complaint("articles", "--theme", "pink")
    for theme in ["dark", "light", "high-contrast", "mono"] { #expect(complaint.contains(theme)) }
  }

  @Test(arguments: ["100", "0x30", "100x501", "axb", "100x30x2", "-1x5", "x", "100 x 30"])
  func `a size that is none is answered with what one is`(size: String) throws {
    let complaint = try complaint("articles", "--size=\(size)")
    #expect(complaint.contains("A size is columns and rows from 1x1 to 500x500, such as 100x30."))
  }

  @Test func `a key that does not exist is answered with those that do`() throws {
    let complaint = try complaint("articles", "--keys", "j entr")
    #expect(complaint.contains("Unknown key “entr”."))
    #expect(complaint.contains("enter, esc, space"))
  }

  @Test(arguments: ["-1", "x", "3601"]) func `a time that is none is refused`(time: String) throws {
    #expect(try complaint("articles", "--at=\(time)").contains("is not a time"))
  }

  @Test func `the end may not come before the last key`() throws {
    #expect(try complaint("articles", "--keys", "@2 j", "--at", "1").contains("earlier"))
  }

  @Test func `keys are pressed at their times`() throws {
    // The first load answers after 40 ms: before that, there is no row to select.
    let early = try picture("articles", "--keys", "@0.01 j j enter", "--at", "1")
    let late = try picture("articles", "--keys", "@0.5 j j enter", "--at", "1")
    #expect(early == (try picture("articles", "--at", "1")))
    #expect(late.contains("Welcome."))
    #expect(late.contains("Esc back"))
  }

  @Test func `the ending of a file name is a format`() throws {
    #expect(try picture("first-run", "-o", "a.svg").hasPrefix("<svg"))
    #expect(try picture("first-run", "-o", "a.txt") == picture("first-run"))
  }

  @Test func `each theme has colours of its own, and mono has none`() throws {
    // In a picture, the background is not known.
    let themes = ThemeName.allCases.filter { $0 != .auto }
    let pictures = try themes.map {
      try picture("articles", "--format", "ansi", "--theme", $0.rawValue)
    }
    #expect(Set(pictures).count == themes.count)
    #expect(try picture("articles", "--format", "ansi") == pictures[0])
    let mono = try picture("articles", "--format", "ansi", "--theme", "mono")
    #expect(!mono.contains(";38;"))
    #expect(!mono.contains("[0;3"))
  }

  @Test func `a click and a drag do what they do on a terminal, and a screen changes its size`()
    throws
  {
    let clicked = try picture("articles", "--keys", "@1 click:16,1", "--at", "2")
    #expect(!clicked.hasPrefix("[1 Articles]"))
    let slider = try picture("sock", "--size", "100x24", "--keys", "@1 drag:60,4:70,4", "--at", "3")
    #expect(slider != (try picture("sock", "--size", "100x24", "--at", "3")))
    let small = try picture("articles", "--keys", "@1 size:40x6", "--at", "2")
    #expect(small.split(separator: "\n", omittingEmptySubsequences: false).count == 7)
    #expect(small == (try picture("articles", "--size", "40x6", "--at", "2")))
  }

  @Test func `every scene's own keys are keys, and do something`() throws {
    for scene in Scene.all where scene.keys.steps.isEmpty {
      #expect(!["tour", "catalog", "search", "removing"].contains(scene.name), "\(scene.name)")
    }
    for scene in Scene.all where !scene.keys.steps.isEmpty {
      #expect(try !picture(scene.name).contains("does nothing here"), "\(scene.name)")
    }
  }
}
