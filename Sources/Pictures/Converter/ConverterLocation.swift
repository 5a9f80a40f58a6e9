import Foundation

/// Finds the program `argyle-pictures`.
public enum ConverterLocation {
  static let name = "argyle-pictures"

  /// Returns the path of the program: beside the running program, as after a build, or in
  /// `libexec/argyle` beside the folder of programs, as in an installation.
  ///
  /// - Returns: the first path with an executable; the first candidate if there is none.
  public static func beside(_ program: String? = Bundle.main.executablePath) -> String {
    // A symbolic link, for example in a `bin` folder, leads to the installation.
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
