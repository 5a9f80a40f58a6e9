import ArgumentParser
import Foundation
import Socks

extension SocksCommand {
  struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Import socks from a JSON file: all of them or, after an error, none.",
      discussion: """
        The file is an array, as list --json and export write it. If a sock is already in the \
        drawer, only the fields in the file are changed. Paths of pictures are relative to the file. \
        Pictures on the web are fetched as if you had typed their addresses: import only lists of people you trust.
        """)
    @Argument(help: "The path of the file; - for standard input.", completion: .file())
    var file: String
    @OptionGroup var options: LibraryOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      var document = try DrawerDocument(try JSONFile(file).read())
      document.resolveFiles(in: JSONFile(file).folder)
      let report = try await options.drawer().put(document)
      try output.print(report) {
        "Added \(counted(report.added, "sock")), changed \(report.changed), left "
          + "\(report.unchanged) unchanged."
      }
    }
  }

  struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Export all socks to a JSON file that can be imported again.")
    @Argument(help: "The path of the file; - for standard output.", completion: .file())
    var file: String
    @OptionGroup var options: LibraryOptions

    func run() async throws {
      let socks = try await options.drawer().everySock()
      try InputFile.write(try OutputOptions.encoded(socks) + "\n", to: file)
      if !InputFile.isStandardOutput(file) {
        try StandardOutput.write(
          "Exported \(counted(socks.count, "sock")) to \(printable(file)).\n")
      }
    }
  }
}

/// A file that the user names, or a standard stream.
private struct JSONFile {
  let path: String

  init(_ path: String) { self.path = path }

  /// The folder that relative paths in the file refer to.
  var folder: String {
    let current = FileManager.default.currentDirectoryPath
    guard path != "-" else { return current }
    let whole = path.hasPrefix("/") ? path : current + "/" + path
    return (whole as NSString).deletingLastPathComponent
  }

  func read() throws -> Data {
    let limit = DrawerDocument.sizeLimit
    let bytes = Data(try InputFile.bytes(path, limit: limit))
    guard bytes.count <= limit else {
      throw CommandFailure(
        status: .badData, "The file is larger than \(limit >> 20) MB.",
        advice: "Split it into parts.", detail: path)
    }
    return bytes
  }
}
