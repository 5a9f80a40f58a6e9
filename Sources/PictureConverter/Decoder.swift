import CChafa

/// Decodes pictures with gdk-pixbuf.
enum Decoder {
  /// Returns the pixels of a picture, upright; of an animation, those of its first frame.
  static func pixels(of request: Request) throws(Failure) -> Pixels {
    guard let type = PictureType(of: request.picture) else { throw .unknownType }
    guard type.isComplete(request.picture) else { throw .truncated }
    // Only the decoder of this type is used: some systems also have older decoders.
    guard let loader = gdk_pixbuf_loader_new_with_mime_type(type.name, nil) else {
      throw .noDecoder
    }
    defer { cpixbuf_release(loader) }

    var gate = SizeGate(request: request, type: type)
    let failure = withUnsafeMutablePointer(to: &gate) { gate in
      cpixbuf_when_size_is_known(loader, { SizeGate.receive($0, $1, $2, $3) }, gate)
      let picture = type == .gif ? FirstFrame.cut(from: request.picture) : request.picture
      return feed(picture, to: loader, stoppingAt: gate)
    }
    if let refusal = gate.refusal { throw refusal }
    if let failure { throw failure }
    guard let size = gate.size, let pixels = gdk_pixbuf_loader_get_pixbuf(loader) else {
      throw .truncated
    }
    guard let upright = Pixels(pixels, of: size) else { throw .outOfMemory }
    return upright
  }

  /// Loads the files that decoders need, while files can still be opened.
  static func warmUp() {
    for type in PictureType.allCases {
      guard let loader = gdk_pixbuf_loader_new_with_mime_type(type.name, nil) else { continue }
      gdk_pixbuf_loader_close(loader, nil)
      cpixbuf_release(loader)
    }
  }

  private static func feed(
    _ picture: ArraySlice<UInt8>, to loader: UnsafeMutablePointer<GdkPixbufLoader>,
    stoppingAt gate: UnsafePointer<SizeGate>
  ) -> Failure? {
    var failure: Failure?
    picture.withUnsafeBufferPointer { bytes in
      var offset = 0
      // In pieces, so that nothing is decoded after the size was refused.
      while offset < bytes.count, failure == nil, gate.pointee.refusal == nil {
        let piece = min(bytes.count - offset, 64 << 10)
        failure = Self.failure { error in
          gdk_pixbuf_loader_write(
            loader, bytes.baseAddress.map { $0 + offset }, gsize(piece), error)
        }
        offset += piece
      }
    }
    // A loader must always be closed.
    let failureAtEnd = Self.failure { gdk_pixbuf_loader_close(loader, $0) }
    return failure ?? failureAtEnd
  }

  private static func failure(
    _ call: (UnsafeMutablePointer<UnsafeMutablePointer<GError>?>) -> gboolean
  ) -> Failure? {
    var error: UnsafeMutablePointer<GError>?
    if call(&error) != 0 { return nil }
    defer { g_clear_error(&error) }
    return cpixbuf_is_out_of_memory(error) != 0 ? .outOfMemory : .broken
  }
}
