import ArgumentParser
import Foundation
import TerminalUI

/// The `screenshot` command: draws a scene without a terminal.
struct ScreenshotCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "screenshot", abstract: "Draw a scene to a file, without a terminal.",
    discussion: """
      The same arguments produce the same bytes on every machine. Keys are pressed in order; @T \
      waits until T seconds after the start, and --at sets the time of the picture:

        argyle screenshot articles --keys "@0.8 j j enter" --at 2 -o article.svg

      Among the keys, click:COLUMN,ROW clicks, drag:COLUMN,ROW:COLUMN,ROW drags, \
      wheel-up:COLUMN,ROW and wheel-down:COLUMN,ROW turn the wheel, and size:80x24 makes the screen \
      that large. The formats cast, for asciinema, and movie, an SVG that moves, show all that \
      happens until then.

      argyle demo --list lists the scenes.
      """)

  @Argument(
    help: "The scene; argyle demo --list describes each.",
    completion: .list(Scene.all.map(\.name)))
  var scene: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time of the picture, in seconds from 0 to 3600 (default: the scene's own).",
      valueName: "seconds"))
  var at: String?

  @Option(help: "Keys to press and times to wait for, in order (default: the scene's own).")
  var keys: String?

  @Option(help: ArgumentHelp("Columns and rows.", valueName: "100x30"))
  var size = "100x30"

  @Option(help: "The format (default: by the name of the file, else text).")
  var format: StillFormat?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where to write it (default: standard output).", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var options: SceneOptions

  func validate() throws {
    _ = try request()
    if format == nil, let output, output != "-", StillFormat(path: output) == nil,
      let ending = StillFormat.ending(of: output)
    {
      throw ValidationError(
        "No format has names that end in “\(printable(ending))”. Names end in "
          + "\(StillFormat.endings.map(\.ending).joined(separator: ", ")); any other name needs "
          + "--format, with one of \(StillFormat.allCases.map(\.rawValue).joined(separator: ", "))."
      )
    }
    _ = try display()
  }

  func run() async throws {
    let file = try await file()
    try InputFile.write(file, to: output ?? "-")
  }

  private struct Request {
    var scene: Scene
    var keys: KeyScript
    var size: Size
    var end: Duration
  }

  /// Returns how everything is drawn, without the environment, which is not the same on every
  /// machine.
  private func display() throws -> DisplaySettings {
    try options.display.applied(to: Settings(environment: [:])).configuration.display
  }

  private func request() throws -> Request {
    let scene = try Scene.asked(for: scene)
    let typed: KeyScript?
    do throws(KeyScript.Failure) { typed = try keys.map(KeyScript.init) } catch {
      throw ValidationError("\(error)")
    }
    let script = typed ?? scene.keys
    guard let size = Size(typed: size) else {
      throw ValidationError(
        "“\(printable(size))” is not a size. A size is columns and rows from 1x1 to 500x500, such as "
          + "100x30.")
    }
    guard let at else {
      return Request(scene: scene, keys: script, size: size, end: max(scene.moment, script.end))
    }
    guard let end = Duration(seconds: at) else {
      throw ValidationError(
        "“\(printable(at))” is not a time. A time is seconds from 0 to 3600, such as 0.8.")
    }
    guard typed == nil || end >= script.end else {
      throw ValidationError("--at \(at) is earlier than the last time in --keys.")
    }
    return Request(scene: scene, keys: script.until(end), size: size, end: end)
  }

  /// Returns the requested picture, as text.
  @MainActor
  func picture() throws -> String { String(decoding: try file(), as: UTF8.self) }

  /// Returns the requested picture, as the bytes of a file.
  @MainActor
  func file() throws -> [UInt8] {
    let request = try request()
    let display = try display()
    let format = format ?? output.flatMap(StillFormat.init(path:)) ?? .text
    let still = Still(
      request.scene, size: request.size, environment: EnvironmentValues(display),
      seed: options.seed, cells: options.cells, isRecording: format.moves)
    still.play(request.keys)
    still.run(to: request.end)
    defer { still.end() }
    let frames = format.moves ? still.frames : [(request.end, still.frame.cells)]
    return format.bytes(from: frames, until: request.end, theme: display.theme.window)
  }
}

extension ThemeName {
  /// The window that surrounds a picture with this theme.
  fileprivate var window: SVGTheme {
    switch self {
    case .light: .light
    case .highContrast: .highContrast
    default: .dark
    }
  }
}

extension Size {
  /// Parses `100x30`; nil unless it is a size from 1x1 to 500x500.
  init?(typed text: String) {
    let parts = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
      1...500 ~= width, 1...500 ~= height
    else { return nil }
    self.init(width: width, height: height)
  }
}
