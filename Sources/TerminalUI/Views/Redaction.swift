/// Reasons to redact content.
public struct RedactionReasons: OptionSet, Hashable, Sendable {
  /// One bit for each reason.
  public let rawValue: Int

  /// Creates the set of reasons whose bits are set.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The content is sample data, because the real content is still being loaded.
  public static let placeholder = RedactionReasons(rawValue: 1)
}

/// How a placeholder for text is drawn, in the shape of its words and lines.
public enum RedactionStyle: Hashable, Sendable, CaseIterable {
  /// A block for each column.
  case blocks
  /// Blocks with a band of light moving across them; still blocks if motion is reduced.
  case shimmer
  /// A dot for each column.
  case dots

  var glyph: Glyph { self == .dots ? .dot : .block }
}

private enum RedactionStyleKey: EnvironmentKey {
  static var defaultValue: RedactionStyle { .blocks }
}

extension EnvironmentValues {
  /// How redacted text is drawn.
  public var redactionStyle: RedactionStyle {
    get { self[RedactionStyleKey.self] }
    set { self[RedactionStyleKey.self] = newValue }
  }

  /// The style of a redacted column.
  var redactedStyle: Style { Style(foreground: theme.placeholder, attributes: .dim) }
}

extension View {
  /// Draws text as blocks in its own shape; keys, focus and tasks inside are off.
  public func redacted(reason: RedactionReasons) -> some View {
    Modified(self) { context, node in
      reason.isEmpty ? node : RedactedNode(context, node)
    }
    .transformEnvironment {
      $0.redactionReasons.formUnion(reason)
      if !reason.isEmpty { $0.isInert = true }
    }
  }

  /// Sets how redacted text inside is drawn.
  public func redactionStyle(_ style: RedactionStyle) -> some View {
    environment(\.redactionStyle, style)
  }
}

/// Moves a band of light over the blocks, if the style is `shimmer`.
private final class RedactedNode: WrapperNode {
  // A slanted band of six columns that moves four columns per tick and repeats every 40 columns.
  private static let (band, speed, period) = (6, 4, 40)

  override func draw(in region: Region) {
    super.draw(in: region)
    guard environment.redactionStyle == .shimmer, !environment.isStill, !region.isHidden else {
      return
    }
    let clip = region.clip
    context.animate(region) { now, cells in
      let start = TickGrid.index(now) * Self.speed
      for y in clip.minY..<clip.maxY {
        for x in clip.minX..<clip.maxX where cells[x, y].glyph == .block {
          let place = (x + y - start) % Self.period
          let isLit = (place < 0 ? place + Self.period : place) < Self.band
          cells.restyle(Rect(x: x, y: y, width: 1, height: 1)) { style in
            if isLit { style.attributes.remove(.dim) } else { style.attributes.insert(.dim) }
          }
        }
      }
    }
  }
}

extension StyledLine {
  /// The line with its glyphs replaced by the placeholder glyph.
  func placeholder(_ environment: EnvironmentValues) -> StyledLine {
    redacted(with: environment.redactionStyle.glyph).restyled { $0 = environment.redactedStyle }
  }
}
