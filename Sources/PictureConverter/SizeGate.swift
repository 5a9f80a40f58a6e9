import CChafa

/// Checks the declared size of a picture before anything is decoded.
struct SizeGate {
  let request: Request
  let type: PictureType
  private(set) var size: Dimensions?
  private(set) var refusal: Failure?

  /// Handles the loader's signal; `context` points to a gate.
  static func receive(
    _ loader: UnsafeMutablePointer<GdkPixbufLoader>?, _ width: Int32, _ height: Int32,
    _ context: UnsafeMutableRawPointer?
  ) {
    guard let loader, let gate = context?.assumingMemoryBound(to: SizeGate.self) else { return }
    gate.pointee.look(at: loader, width: Int(width), height: Int(height))
  }

  private mutating func look(
    at loader: UnsafeMutablePointer<GdkPixbufLoader>, width: Int, height: Int
  ) {
    let longest = Int(request.maximumLength)
    guard width > 0, height > 0, width <= longest, height <= longest,
      width * height <= Int(request.maximumPixels)
    else {
      refusal = .tooLarge(
        width: UInt32(clamping: width), height: UInt32(clamping: height))
      // A size of 0 is the only way to make a loader decode nothing.
      gdk_pixbuf_loader_set_size(loader, 0, 0)
      return
    }
    size = Dimensions(width: width, height: height)
    guard type == .jpeg else { return }
    let divisor = divisor(width: width, height: height)
    gdk_pixbuf_loader_set_size(
      loader, Int32((width + divisor - 1) / divisor), Int32((height + divisor - 1) / divisor))
  }

  /// Returns by how much a JPEG is reduced while decoding, which takes a fraction of the time.
  ///
  /// Each cell still gets the 8×8 pixels that its symbol is chosen by.
  private func divisor(width: Int, height: Int) -> Int {
    // The picture may turn out to be turned by 90°.
    let needed = 8 * Int(max(request.columns, request.rows))
    return [8, 4, 2].first { min(width, height) / $0 >= needed } ?? 1
  }
}
