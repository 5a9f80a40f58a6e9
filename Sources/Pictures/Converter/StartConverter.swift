import Foundation

/// Starts the program at `path` with a socket for its input and output.
///
/// - Parameters:
///   - path: with a slash, so that it is looked for nowhere else.
///   - patience: seconds without a picture after which it ends by itself.
/// - Throws: `PictureError.cannotStart`.
func startConverter(
  _ path: String, patience: Int, on socket: Int32
) throws(PictureError) -> pid_t {
  do {
    return try ChildProcess.start(
      path,
      // A crash is its normal end: no helper has to look into it.
      environment: ["SWIFT_BACKTRACE=enable=no", "PATIENCE=\(patience)"],
      input: .descriptor(socket),
      output: .descriptor(socket))
  } catch {
    throw .cannotStart(code: error.code)
  }
}
