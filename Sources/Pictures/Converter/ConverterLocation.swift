import Foundation

/// Where the program `argyle-pictures` is.
public enum ConverterLocation {
  static let name = "argyle-pictures"

  /// Beside the running program, as a build leaves it, or where an installation has it: in
  /// `libexec/argyle` beside the folder of programs.
  ///
  /// - Returns: The first place where there is one; the first place of all where there is none.
  public static func beside(_ program: String? = Bundle.main.executablePath) -> String {
    // A link in a folder of links leads to the installation.
    let program = URL(fileURLWithPath: program ?? "/").resolvingSymlinksInPath()
    let folder = program.deletingLastPathComponent()
    let places = [
      folder.appendingPathComponent(name),
      folder.deletingLastPathComponent().appendingPathComponent("libexec/argyle/\(name)"),
    ].map(\.path)
    return places.first { isProgram($0) } ?? places[0]
  }

  static func isProgram(_ path: String) -> Bool { access(path, X_OK) == 0 }
}
