#!/usr/bin/env python3
"""Draws the bundled socks as PNG files beside this script: `python3 assets/socks/draw.py`.

A sock is a tube around a line: down the leg, round the heel, along the foot. Every point of it has
a place along that line (u) and across it (v), in pixels, and a pattern is a colour for each place,
so that patterns go round the heel as knitted ones do. The same script draws the same bytes.
"""

import math
import pathlib
import struct
import zlib

SIZE = 112
SCALE = 128 / SIZE  # Everything below is in units of 128 to a side.
SAMPLES = 3  # Along each side of a pixel.

# The line: straight down, an arc, straight on.
LEG_X, LEG_TOP, LEG_END = 37.0, 6.0, 72.0
RADIUS, TURN = 27.0, math.radians(84)
FOOT = 33.0
LEG = LEG_END - LEG_TOP
ARC = RADIUS * TURN
LENGTH = LEG + ARC + FOOT
CENTRE = (LEG_X + RADIUS, LEG_END)
FORWARD = (math.sin(TURN), math.cos(TURN))
FOOT_START = (CENTRE[0] - RADIUS * math.cos(TURN), CENTRE[1] + RADIUS * math.sin(TURN))
CUFF = 15.0


def place(x, y):
    """The place (u, v) of a point; v is positive outside, where the heel is. None off the line."""
    best = None
    if y <= LEG_END:
        best = (y - LEG_TOP, LEG_X - x)
    dx, dy = x - CENTRE[0], y - CENTRE[1]
    angle = math.atan2(dy, -dx)
    if 0 <= angle <= TURN:
        candidate = (LEG + angle * RADIUS, math.hypot(dx, dy) - RADIUS)
        if best is None or abs(candidate[1]) < abs(best[1]):
            best = candidate
    fx, fy = x - FOOT_START[0], y - FOOT_START[1]
    along = fx * FORWARD[0] + fy * FORWARD[1]
    if along >= 0:
        across = -fx * FORWARD[1] + fy * FORWARD[0]
        candidate = (LEG + ARC + along, across)
        if best is None or abs(candidate[1]) < abs(best[1]):
            best = candidate
    return best


def smooth(low, high, value):
    t = min(1.0, max(0.0, (value - low) / (high - low)))
    return t * t * (3 - 2 * t)


def depth(u, v):
    """How far inside the sock a place is; negative outside."""
    middle = LEG + ARC * 0.55
    width = 19.5 + 1.5 * smooth(CUFF + 6, 0, u)
    if v > 0:
        width += 5.0 * math.exp(-(((u - middle) / 17) ** 2))
    else:
        width -= 1.5 * math.exp(-(((u - middle) / 20) ** 2))
    width -= 1.5 * smooth(LEG + ARC, LENGTH, u)
    inside = width - abs(v)
    if u > LENGTH:
        inside = width - math.hypot(u - LENGTH, v)
    return min(inside, u + 0.0) if u < width else inside


def mix(a, b, t):
    return tuple(p + (q - p) * t for p, q in zip(a, b))


def colour(code):
    return tuple(int(code[i : i + 2], 16) / 255 for i in (0, 2, 4))


# Patterns: functions of (u, v) to a colour. v runs from about -20 to 20.


def plain(base):
    return lambda u, v: base


def stripes(colours, width):
    return lambda u, v: colours[int(u // width) % len(colours)]


def dots(base, dot, pitch=13.0, radius=3.7):
    def at(u, v):
        row = math.floor(u / pitch)
        shift = pitch / 2 if row % 2 else 0
        du = u - (row + 0.5) * pitch
        dv = (v + shift) % pitch - pitch / 2
        return dot if math.hypot(du, dv) < radius else base

    return at


def argyle(base, diamond, second, line):
    width, height = 21.0, 32.0

    def at(u, v):
        row = math.floor(u / height)
        dv = (v + width / 2) % width - width / 2
        du = u % height - height / 2
        inside = abs(dv) / (width / 2) + abs(du) / (height / 2) < 1
        colours = (diamond, second)
        column = math.floor((v + width / 2) / width)
        # The thin lines run through the middles of the diamonds, from corner to corner of the gaps.
        la = (v / width + (u - height / 2) / height + 0.5) % 1 - 0.5
        lb = (v / width - (u - height / 2) / height + 0.5) % 1 - 0.5
        if min(abs(la), abs(lb)) < 0.03 and (int(u) + int(v * 2)) % 4 < 3:
            return line
        return colours[(row + column) % 2] if inside else base

    return at


def chevron(colours, width=7.0, pitch=14.0):
    def at(u, v):
        zig = abs((v + pitch / 2) % pitch - pitch / 2)
        return colours[int((u + zig) // width) % len(colours)]

    return at


def hearts(base, heart, pitch=17.0):
    def at(u, v):
        row = math.floor(u / pitch)
        shift = pitch / 2 if row % 2 else 0
        y = -(u - (row + 0.5) * pitch) / 5.4
        x = ((v + shift) % pitch - pitch / 2) / 5.4
        y += 0.1
        inside = (x * x + y * y - 1) ** 3 - x * x * y**3
        return heart if inside < 0 else base

    return at


def stars(base, star, pitch=19.0, points=5, inner=0.42, radius=6.6):
    def at(u, v):
        row = math.floor(u / pitch)
        shift = pitch / 2 if row % 2 else 0
        dy = u - (row + 0.5) * pitch
        dx = (v + shift) % pitch - pitch / 2
        angle = (math.atan2(dx, -dy) / (2 * math.pi) * points) % 1
        edge = abs(angle - 0.5) * 2
        return star if math.hypot(dx, dy) < radius * (inner + (1 - inner) * edge**1.3) else base

    return at


def snow(base, flake, band, edge):
    def at(u, v):
        if 14 < u % 44 < 20:
            return band if abs(v) % 5 < 2.5 else edge
        pitch = 22.0
        row = math.floor((u - 20) / 44)
        du = (u - 20) % 44 - 13
        dv = (v + (pitch / 2 if row % 2 else 0) + pitch / 2) % pitch - pitch / 2
        r, a = math.hypot(du, dv), math.atan2(du, dv)
        spoke = abs(((a / (math.pi / 3)) + 0.5) % 1 - 0.5) * (math.pi / 3) * r
        if r < 8.2 and spoke < 0.95:
            return flake
        if 4.2 < r < 6.2 and spoke < 2.2 and abs(spoke - (r - 4.0)) < 0.9:
            return flake
        return base

    return at


def motif(rows, unit, ink, ground):
    def at(u, v):
        line = rows[int(u // unit) % len(rows)]
        return ink[line[int(math.floor(v / unit)) % len(line)]] if line else ground

    return at


def fair_isle(base, one, two, three):
    rows = [
        "........",
        "x.x.x.x.",
        "........",
        "..oo....",
        ".oooo..o",
        "oo..oooo",
        ".oooo..o",
        "..oo....",
        "........",
        "x.x.x.x.",
        "........",
        "++++++++",
        "+.++.+++",
        "...+....",
        "+.++.+++",
        "++++++++",
    ]
    return motif(rows, 2.6, {".": base, "x": one, "o": two, "+": three}, base)


def gingham(base, half, full, width=8.0):
    def at(u, v):
        a, b = int(u // width) % 2, int(math.floor(v / width)) % 2
        return (base, half, full)[a + b]

    return at


def herringbone(base, line, pitch=10.0, width=3.0):
    def at(u, v):
        column = math.floor(v / pitch)
        slope = (v - column * pitch) * (1 if column % 2 else -1)
        return line if (u + slope) % (width * 2) < width * 0.9 else base

    return at


def houndstooth(base, dark):
    rows = [
        "####....",
        "####....",
        "####..##",
        "####.##.",
        "..##.#..",
        ".##.#...",
        "##..####",
        "#...####",
    ]
    return motif(rows, 2.3, {"#": dark, ".": base}, base)


def waves(colours, width=9.0):
    return lambda u, v: colours[int((u + 3.2 * math.sin(v / 3.6)) // width) % len(colours)]


def cable(base, shade):
    def at(u, v):
        pitch = 13.0
        dv = (v + pitch / 2) % pitch - pitch / 2
        wave = 2.9 * math.sin(u / 4.4)
        near = min(abs(dv - wave), abs(dv + wave))
        rail = abs(abs(dv) - 5.6)
        if rail < 0.7:
            return shade
        return mix(shade, base, 0.15) if 1.3 < near < 2.1 and abs(dv) < 5 else base

    return at


def hiking(base, fleck, band):
    def at(u, v):
        if 22 < u < 27 or 30 < u < 33:
            return band
        grain = math.sin(u * 12.9898 + v * 78.233) * 43758.5453
        cell = math.sin(math.floor(u / 2) * 12.9898 + math.floor(v / 2) * 78.233) * 43758.5453
        return fleck if cell - math.floor(cell) > 0.78 else base

    return at


c = colour
WHITE = c("f6f3ec")

# Name: pattern, cuff, heel and toe.
SOCKS = {
    "argyle-red": (argyle(c("b3262e"), c("f3e7cc"), c("27364f"), c("f0c24b")), c("27364f"), c("27364f")),
    "argyle-green": (argyle(c("2f6b4a"), c("e9d9a8"), c("7d2f3a"), c("f6f3ec")), c("7d2f3a"), c("7d2f3a")),
    "argyle-grey": (argyle(c("8d949e"), c("3b4654"), c("d98f3f"), c("f6f3ec")), c("3b4654"), c("d98f3f")),
    "striped-navy": (stripes([c("24406b"), WHITE], 8.0), c("24406b"), c("c23b3b")),
    "striped-rainbow": (
        stripes([c(k) for k in ("e2483d", "f08c34", "f4cf46", "57a659", "3c82c4", "7d54a8")], 9.0),
        c("7d54a8"), c("e2483d")),
    "striped-tiger": (waves([c("ee8a2c"), c("33261f")], 7.5), c("33261f"), c("f6e3c0")),
    "dots-yellow": (dots(c("f2c037"), c("fffaf0")), c("d8742f"), c("d8742f")),
    "dots-plum": (dots(c("5b2a5e"), c("e9a6c6")), c("e9a6c6"), c("e9a6c6")),
    "chevron-teal": (chevron([c("13707a"), c("4fb3a9"), c("f3e7cc")]), c("13707a"), c("e07a5f")),
    "chevron-purple": (chevron([c("4a3a78"), c("9a86c9"), c("d9cdf0")]), c("4a3a78"), c("f0b84b")),
    "hearts-pink": (hearts(c("f5b8c8"), c("c9274b")), c("c9274b"), c("c9274b")),
    "fair-isle-blue": (fair_isle(c("25456f"), c("f6f3ec"), c("f3e7cc"), c("a8323a")), c("a8323a"), c("f3e7cc")),
    "fair-isle-brown": (fair_isle(c("e8d8b8"), c("6b4a2f"), c("8a5a33"), c("4f6f52")), c("6b4a2f"), c("6b4a2f")),
    "stars-navy": (stars(c("1f2d52"), c("f7d154")), c("f7d154"), c("e8e3d5")),
    "snow-red": (snow(c("a51e2c"), c("fbf7ef"), c("fbf7ef"), c("2c5e41")), c("fbf7ef"), c("2c5e41")),
    "gingham-green": (gingham(c("f4f1e6"), c("9cc59a"), c("4a8f57")), c("4a8f57"), c("4a8f57")),
    "herringbone-grey": (herringbone(c("b9bec5"), c("6d7681")), c("56606b"), c("8b5e3c")),
    "houndstooth-black": (houndstooth(c("f4f1ea"), c("25282e")), c("25282e"), c("b3262e")),
    "cable-cream": (cable(c("efe3c8"), c("c2ad84")), c("e4d4b0"), c("e4d4b0")),
    "hiking-moss": (hiking(c("707a4a"), c("939d68"), c("d9542b")), c("4d5633"), c("3e3a34")),
    "plain-black": (plain(c("4b505d")), c("3c404b"), c("3c404b")),
    "plain-white": (stripes([WHITE], 99.0), c("f6f3ec"), c("dfe3e6")),
}


def lie():
    """Every sample that is of a sock: its pixel, its place, what it is part of, and the light there.

    The light is how much of the colour is left, and how much white comes to it."""
    samples = []
    for pixel in range(SIZE * SIZE):
        for part in range(SAMPLES * SAMPLES):
            x = SCALE * (pixel % SIZE + (part % SAMPLES + 0.5) / SAMPLES)
            y = SCALE * (pixel // SIZE + (part // SAMPLES + 0.5) / SAMPLES)
            where = place(x, y)
            if where is None:
                continue
            u, v = where
            inside = depth(u, v)
            if inside >= 0:
                samples.append((pixel, u, v) + light(u, v, inside))
    return samples


def light(u, v, inside):
    middle = LEG + ARC * 0.5
    heel = ((u - middle) / 21) ** 2 + ((v - 24) / 21) ** 2 < 1
    toe = u > LENGTH - 4 + 0.02 * v * v
    if u < CUFF:
        part = "cuff"
        # Ribs, and a seam.
        kept = 1 - 0.17 * (0.5 + 0.5 * math.cos(v * 2 * math.pi / 3.9))
        if u > CUFF - 1.3:
            kept = 0.7
    elif heel or toe:
        part = "patch"
        kept = 1 - 0.035 * (1 + math.cos((u if toe else v) * 2 * math.pi / 3.2))
    else:
        part = "pattern"
        # Stitches, just to be felt.
        stitch = math.cos(u * 2 * math.pi / 2.6) * math.cos(v * 2 * math.pi / 2.6)
        kept = 1 - 0.0175 * (1 + stitch)
    # Light comes from the upper left; the edges turn away from it.
    kept *= 1 - 0.32 * smooth(7.5, 0.0, inside)
    across = v / 20 if u > middle else -v / 20
    kept *= 1 - 0.10 * smooth(-0.2, 1.0, across)
    white = 0.13 * smooth(0.1, 0.75, -across) * smooth(2, 8, inside)
    kept *= 1 - white
    if inside < 1.5:
        kept, white = kept * 0.38, white * 0.38 + 0.045
    return part, kept, white


def draw(samples, pattern, cuff, patch):
    total = [[0.0, 0.0, 0.0, 0] for _ in range(SIZE * SIZE)]
    for pixel, u, v, part, kept, white in samples:
        base = pattern(u - CUFF, v) if part == "pattern" else cuff if part == "cuff" else patch
        sums = total[pixel]
        sums[0] += base[0] * kept + white
        sums[1] += base[1] * kept + white
        sums[2] += base[2] * kept + white
        sums[3] += 1
    rows = []
    for y in range(SIZE):
        row = bytearray()
        for red, green, blue, count in total[y * SIZE : (y + 1) * SIZE]:
            # Few levels: the picture is small on the screen, and is to be small in the file.
            for value in (red, green, blue):
                row.append(min(255, round(value / max(count, 1) * 63) * 255 // 63))
            row.append(round(255 * count / SAMPLES**2))
        rows.append(bytes(row))
    return png(rows)


def filtered(rows):
    """Each row by the filter of PNG that leaves the least."""
    before = bytes(len(rows[0]))
    for row in rows:
        ways = []
        for way in range(5):
            line = bytearray()
            for index, byte in enumerate(row):
                left = row[index - 4] if index >= 4 else 0
                up = before[index]
                corner = before[index - 4] if index >= 4 else 0
                guess = left + up - corner
                near = min((abs(guess - p), k) for k, p in enumerate((left, up, corner)))[1]
                paeth = (left, up, corner)[near]
                line.append((byte - (0, left, up, (left + up) // 2, paeth)[way]) & 255)
            ways.append((sum(min(b, 256 - b) for b in line), way, line))
        _, way, line = min(ways)
        yield bytes([way]) + bytes(line)
        before = row


def png(rows):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    data = zlib.compress(b"".join(filtered(rows)), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def main():
    folder = pathlib.Path(__file__).parent
    samples = lie()
    for name, (pattern, cuff, patch) in SOCKS.items():
        (folder / f"{name}.png").write_bytes(draw(samples, pattern, cuff, patch))
    # One that ends in the middle: what a program shows for a picture that cannot be read.
    whole = (folder / "plain-white.png").read_bytes()
    (folder / "broken.png").write_bytes(whole[: len(whole) // 3])


if __name__ == "__main__":
    main()
