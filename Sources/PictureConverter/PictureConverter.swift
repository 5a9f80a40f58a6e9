import CChafa
import Glibc

/// Reads pictures from standard input and writes them as cells to standard output, until the input
/// ends or nothing arrives for `PATIENCE` seconds (by default a minute).
///
/// Pictures may be hostile, and their decoders are written in C. Therefore this is a separate
/// process in a sandbox, in which it can only compute. The Pictures module starts it; it is not
/// meant to be run by hand.
@main
enum PictureConverter {
  /// The memory limit in bytes: several times the need of the largest accepted picture.
  private static let memory: UInt = 1 << 30
  // The sender gives up sooner: this limit is for a sender that was stopped.
  private static let secondsPerPicture: UInt32 = 30
  private static let idleSeconds =
    getenv("PATIENCE").flatMap { Int32(String(cString: $0)) } ?? 60

  static func main() {
    // Close whatever the parent process left open.
    closefrom(STDERR_FILENO + 1)
    Decoder.warmUp()
    Canvas.warmUp()
    let isLocked =
      sandbox_end_with_input() == 0 && sandbox_set_limits(memory) == 0
      && sandbox_refuse_other_calls() == 0

    while Wire.waits(seconds: idleSeconds), let message = nextMessage() {
      guard let request = Request(message[...]) else { exit(65) }
      alarm(secondsPerPicture)
      let answer = answer(to: request, isLocked: isLocked)
      alarm(0)
      guard Wire.write(answer.message(id: request.id)) else { return }
    }
  }

  private static func nextMessage() -> [UInt8]? {
    guard let head = Wire.read(4) else { return nil }
    var reader = ByteReader(head[...])
    guard let length = reader.number(UInt32.self), length <= Request.maximumLength else {
      exit(65)
    }
    return Wire.read(Int(length))
  }

  /// - Parameter isLocked: whether the sandbox is active.
  static func answer(to request: Request, isLocked: Bool) -> Answer {
    guard isLocked else { return .failure(.noSandbox) }
    do {
      return .cells(Canvas.cells(of: try Decoder.pixels(of: request), for: request))
    } catch {
      return .failure(error)
    }
  }
}
