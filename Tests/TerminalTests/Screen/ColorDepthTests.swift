import Testing

@testable import Terminal

@Suite struct ColorDepthTests {
  @Test func `a description's number of colours says the depth`() {
    #expect(ColorDepth(count: 0, isRGB: false) == .monochrome)
    #expect(ColorDepth(count: 8, isRGB: false) == .eight)
    #expect(ColorDepth(count: 16, isRGB: false) == .sixteen)
    #expect(ColorDepth(count: 256, isRGB: false) == .palette)
    #expect(ColorDepth(count: 1 << 24, isRGB: true) == .direct)
    #expect(ColorDepth(count: 1 << 24, isRGB: false) == .palette)
  }

  @Test func `asking for more colours than there are gives what there is`() {
    #expect(ColorDepth.eight.reduced(to: .direct) == .eight)
    #expect(ColorDepth.monochrome.reduced(to: .palette) == .monochrome)
    #expect(ColorDepth.palette.reduced(to: .sixteen) == .sixteen)
    #expect(ColorDepth.direct.reduced(to: .monochrome) == .monochrome)
    for depth in ColorDepth.allCases { #expect(depth.reduced(to: depth) == depth) }
  }

  @Test(arguments: ColorDepth.allCases)
  func `the default colour stays the terminal's own`(depth: ColorDepth) {
    #expect(depth.number(of: .default) == -1)
  }

  @Test func `the palette takes cube and greys for RGB, never the user's theme`() {
    let depth = ColorDepth.palette
    #expect(depth.number(of: Color(red: 0, green: 0, blue: 0)) == 16)
    #expect(depth.number(of: Color(red: 255, green: 255, blue: 255)) == 231)
    #expect(depth.number(of: Color(red: 255, green: 0, blue: 0)) == 196)
    #expect(depth.number(of: Color(red: 95, green: 135, blue: 215)) == 68)
    #expect(depth.number(of: Color(red: 128, green: 128, blue: 128)) == 244)
    #expect(depth.number(of: .palette(3)) == 3)
    #expect(depth.number(of: .palette(200)) == 200)
  }

  @Test(arguments: UInt8(16)...255)
  func `every colour of cube and greys is nearest to itself`(index: UInt8) throws {
    // By way of direct colour, where entries past the first eight become RGB.
    let number = ColorDepth.direct.number(of: .palette(index))
    let color = Color(
      red: UInt8(number >> 16), green: UInt8(number >> 8 & 0xFF), blue: UInt8(number & 0xFF))
    guard index != 16 else { return }
    #expect(ColorDepth.palette.number(of: color) == Int32(index))
  }

  @Test func `sixteen and eight colours take the nearest`() {
    #expect(ColorDepth.sixteen.number(of: Color(red: 250, green: 10, blue: 10)) == 9)
    #expect(ColorDepth.sixteen.number(of: Color(red: 120, green: 120, blue: 120)) == 8)
    #expect(ColorDepth.eight.number(of: Color(red: 250, green: 10, blue: 10)) == 1)
    #expect(ColorDepth.eight.number(of: .palette(12)) == 4)
    #expect(ColorDepth.eight.number(of: .palette(196)) == 1)
    #expect(ColorDepth.eight.number(of: .gray) == -1, "grey text must not vanish on black")
  }

  @Test func `direct colour keeps RGB as it is and the eight colours as the user's`() {
    #expect(ColorDepth.direct.number(of: Color(red: 0x12, green: 0x34, blue: 0x56)) == 0x123456)
    #expect(ColorDepth.direct.number(of: .palette(7)) == 7)
    #expect(ColorDepth.direct.number(of: Color(red: 0, green: 0, blue: 3)) == 8)
    #expect(ColorDepth.direct.number(of: .palette(196)) == 0xFF0000)
  }

  @Test func `without colours there are none`() {
    #expect(ColorDepth.monochrome.number(of: .red) == -1)
    #expect(ColorDepth.monochrome.number(of: Color(red: 1, green: 2, blue: 3)) == -1)
  }
}
