import CChafa

/// A width and a height in pixels.
struct Dimensions: Equatable {
  var width: Int
  var height: Int
}

/// A decoded picture, upright: rows of 3 or 4 bytes a pixel.
final class Pixels {
  /// Its own size; it may have been decoded smaller.
  let size: Dimensions
  private let pixbuf: OpaquePointer

  /// Turns a picture as it asks to be turned; nil where there is no memory for that.
  init?(_ decoded: OpaquePointer, of size: Dimensions) {
    let orientation = gdk_pixbuf_get_option(decoded, "orientation").map { $0.pointee }
    // From 5 on it lies on its side.
    let isOnItsSide = orientation.map { UInt8(bitPattern: $0) >= UInt8(ascii: "5") } ?? false
    guard let upright = gdk_pixbuf_apply_embedded_orientation(decoded) else { return nil }
    pixbuf = upright
    self.size = isOnItsSide ? Dimensions(width: size.height, height: size.width) : size
  }

  deinit { cpixbuf_release(UnsafeMutableRawPointer(pixbuf)) }

  /// Draws it on all of a canvas.
  func draw(on canvas: OpaquePointer) {
    let hasAlpha = gdk_pixbuf_get_has_alpha(pixbuf) != 0
    chafa_canvas_draw_all_pixels(
      canvas, hasAlpha ? CHAFA_PIXEL_RGBA8_UNASSOCIATED : CHAFA_PIXEL_RGB8,
      gdk_pixbuf_read_pixels(pixbuf), gdk_pixbuf_get_width(pixbuf),
      gdk_pixbuf_get_height(pixbuf), gdk_pixbuf_get_rowstride(pixbuf))
  }
}
