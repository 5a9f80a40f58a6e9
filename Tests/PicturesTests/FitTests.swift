import PseudoTerminal
import Terminal
import Testing

@testable import PictureConverter
@testable import Pictures

@Suite struct FitTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let picture: (Int, Int)
    let room: (Int, Int)
    var enlarges = true
    let size: (Int, Int)

    var testDescription: String { "\(picture) in \(room)\(enlarges ? "" : ", not enlarged")" }
  }

  /// Cells are twice as high as wide: a square picture takes twice as many columns as rows.
  @Test(arguments: [
    Example(picture: (100, 100), room: (80, 24), size: (48, 24)),
    Example(picture: (100, 100), room: (20, 24), size: (20, 10)),
    Example(picture: (1600, 900), room: (80, 24), size: (80, 23)),
    Example(picture: (900, 1600), room: (80, 24), size: (27, 24)),
    Example(picture: (128, 4), room: (40, 10), size: (40, 1)),
    Example(picture: (4, 128), room: (40, 10), size: (1, 10)),
    Example(picture: (16_000, 1), room: (10, 10), size: (10, 1)),
    Example(picture: (1, 1), room: (1, 1), size: (1, 1)),
    Example(picture: (16, 16), room: (80, 24), enlarges: false, size: (2, 1)),
    Example(picture: (64, 64), room: (80, 24), enlarges: false, size: (8, 4)),
    Example(picture: (1, 1), room: (80, 24), enlarges: false, size: (1, 1)),
    Example(picture: (4000, 3000), room: (80, 24), enlarges: false, size: (64, 24)),
  ])
  func `a picture keeps its aspect and meets an edge of its room`(example: Example) {
    var request = PictureRequest.sample(example.room.0, example.room.1)
    request.enlarges = example.enlarges
    let picture = PixelSize(width: example.picture.0, height: example.picture.1)
    #expect(
      PictureFit.size(of: picture, in: request)
        == Size(width: example.size.0, height: example.size.1))
  }

  @Test func `both ends of the wire reserve the same room`() throws {
    try forEachSeed(2000) { generator, seed in
      func length(_ limit: Int) -> Int {
        // Small numbers are where rounding tells.
        Int.random(in: 1...(seed % 3 == 0 ? min(limit, 20) : limit), using: &generator)
      }
      var request = PictureRequest.sample(length(1000), length(1000))
      request.enlarges = seed % 2 == 0
      let (width, height) = (length(16_384), length(16_384))
      let ours = PictureFit.size(of: .init(width: width, height: height), in: request)
      let message = RequestMessage.bytes(id: 1, request, picture: [], limits: PictureLimits())
      let theirs = Fit(
        .init(width: width, height: height), in: try #require(Request(message[4...])))
      #expect(ours == Size(width: theirs.columns, height: theirs.rows), "seed \(seed)")
      #expect(ours.width <= request.room.width && ours.height <= request.room.height)
      if request.enlarges {
        #expect(
          ours.width == request.room.width || ours.height == request.room.height, "seed \(seed)")
      }
    }
  }

  @Test func `no claim about size overflows`() {
    for length in [0, -1, Int.max, Int.min] {
      let request = PictureRequest.sample(length, length)
      let size = PictureFit.size(of: .init(width: length, height: Int.max), in: request)
      #expect(1...1000 ~= size.width && 1...1000 ~= size.height)
    }
  }
}
