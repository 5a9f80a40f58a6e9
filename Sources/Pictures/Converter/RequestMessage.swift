/// Writes a request as a message to the converter.
///
/// A message starts with its length in four bytes, which are not counted, followed by its bytes.
/// The first byte is the version of the format; all numbers are little-endian. `Request` in
/// PictureConverter reads it.
enum RequestMessage {
  static let version: UInt8 = 2

  static func bytes(
    id: UInt32, _ request: PictureRequest, picture: [UInt8], limits: PictureLimits
  ) -> [UInt8] {
    let room = PictureFit.room(of: request)
    var body: [UInt8] = [version]
    body.append(number: id)
    body.append(number: UInt16(clamping: room.width))
    body.append(number: UInt16(clamping: room.height))
    body.append(request.enlarges ? 1 : 0)
    body.append(number: UInt32(clamping: limits.length))
    body.append(number: UInt32(clamping: limits.pixels))

    var message: [UInt8] = []
    message.reserveCapacity(4 + body.count + picture.count)
    message.append(number: UInt32(clamping: body.count + picture.count))
    return message + body + picture
  }
}

extension Array where Element == UInt8 {
  /// Appends a number in little-endian order.
  fileprivate mutating func append(number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
