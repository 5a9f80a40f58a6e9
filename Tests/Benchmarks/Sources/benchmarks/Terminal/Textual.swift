import Foundation

/// Textual, the best known library of its kind, from PyPI in a virtual environment of its own.
@MainActor
enum Textual {
  /// Why it is not measured, where it is not.
  private(set) static var reasonForAbsence: String?
  private static var isPrepared = false

  /// Its spinners, where it could be installed.
  static func spinners(_ count: Int, _ programs: Programs) -> [Program] {
    if !isPrepared {
      isPrepared = true
      reasonForAbsence = install()
    }
    guard reasonForAbsence == nil else { return [] }
    return [programs.script("Textual", python, Programs.peer("spinners.py"), [String(count)])]
  }

  private static let folder = Programs.buildFolder + "/textual"
  private static let python = folder + "/bin/python"

  /// Says why that does not work, where it does not.
  private static func install() -> String? {
    let isThere = "import textual"
    do {
      if FileManager.default.isExecutableFile(atPath: python),
        (try? Programs.run(python, ["-c", isThere])) != nil
      {
        return nil
      }
      try Programs.run("/usr/bin/env", ["python3", "-m", "venv", folder])
      try Programs.run(
        python,
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "textual==6.6.0"])
      try Programs.run(python, ["-c", isThere])
      return nil
    } catch {
      return "it cannot be installed from PyPI (\(error))"
    }
  }
}
