import CChafa

/// A width and a height in pixels.
struct Dimensions: Equatable {
  var width: Int
  var height: Int
}

/// A decoded, upright picture: rows with 3 or 4 bytes per pixel.
final class Pixels {
  /// The picture's original size; it may have been decoded smaller.
  let size: Dimensions
  private let pixbuf: OpaquePointer

  /// Turns a picture upright, as its orientation says; nil when there is no memory for that.
  init?(_ decoded: OpaquePointer, of size: Dimensions) {
    let orientation = gdk_pixbuf_get_option(decoded, "orientation").map { $0.pointee }
    // Values from 5 mean that it is turned by 90°.
    let isOnItsSide = orientation.map { UInt8(bitPattern: $0) >= UInt8(ascii: "5") } ?? false
    guard let upright = gdk_pixbuf_apply_embedded_orientation(decoded) else { return nil }
    pixbuf = upright
    self.size = isOnItsSide ? Dimensions(width: size.height, height: size.width) : size
  }

  deinit { cpixbuf_release(UnsafeMutableRawPointer(pixbuf)) }

  /// Draws the picture on the whole canvas.
  func draw(on canvas: OpaquePointer) {
    let hasAlpha = gdk_pixbuf_get_has_alpha(pixbuf) != 0
    chafa_canvas_draw_all_pixels(
      canvas, hasAlpha ? CHAFA_PIXEL_RGBA8_UNASSOCIATED : CHAFA_PIXEL_RGB8,
      gdk_pixbuf_read_pixels(pixbuf), gdk_pixbuf_get_width(pixbuf),
      gdk_pixbuf_get_height(pixbuf), gdk_pixbuf_get_rowstride(pixbuf))
  }
}
