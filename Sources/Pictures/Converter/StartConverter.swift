import Foundation

/// Starts the program at `path` with a socket as its input and output.
///
/// - Parameters:
///   - path: contains a slash, so that `PATH` is not searched.
///   - patience: after how many seconds without a picture it ends by itself.
/// - Throws: `PictureError.cannotStart`.
func startConverter(
  _ path: String, patience: Int, on socket: Int32
) throws(PictureError) -> pid_t {
  do {
    return try ChildProcess.start(
      path,
      // Crashes are expected: no backtrace is needed.
      environment: ["SWIFT_BACKTRACE=enable=no", "PATIENCE=\(patience)"],
      input: .descriptor(socket),
      output: .descriptor(socket))
  } catch {
    throw .cannotStart(code: error.code)
  }
}
