"""Makes the pictures beside it. Needs Pillow; the pictures are committed, so that nothing else does."""

from pathlib import Path
from PIL import Image

folder = Path(__file__).parent
RED, BLUE = (255, 0, 0), (0, 0, 255)


def halves(width, height):
    """Red on the left, blue on the right."""
    picture = Image.new("RGB", (width, height), RED)
    picture.paste(BLUE, (width // 2, 0, width, height))
    return picture


square = halves(32, 32)
square.save(folder / "halves.png", optimize=True)
square.save(folder / "halves.jpg", quality=100, subsampling=0)
square.save(folder / "halves.gif")
square.save(folder / "halves.webp", lossless=True)

# The same in the other forms of each type.
square.convert("P", palette=Image.ADAPTIVE, colors=2).save(folder / "palette.png")
square.save(folder / "progressive.jpg", quality=100, subsampling=0, progressive=True)
square.convert("CMYK").save(folder / "cmyk.jpg", quality=100)
square.save(folder / "lossy.webp", quality=100)

# 8 pixels a cell, which is what a symbol is chosen by: its edge is in the middle of a cell.
halves(40, 8).save(folder / "edge.png", optimize=True)

# Nothing above, red below.
clear = Image.new("RGBA", (16, 32), (0, 0, 0, 0))
clear.paste(RED + (255,), (0, 16, 16, 32))
clear.save(folder / "clear.png")
clear.save(folder / "clear.webp", lossless=True)
# A hole in red.
hole = Image.new("RGBA", (16, 32), RED + (255,))
hole.paste((0, 0, 0, 0), (0, 0, 16, 16))
hole.save(folder / "hole.png")

# 16 bits of grey, dark above and bright below.
grey = b"".join((0x2000 if row < 8 else 0xE000).to_bytes(2, "little") * 16 for row in range(16))
Image.frombytes("I;16", (16, 16), grey).save(folder / "grey16.png")

# Twice as wide as high as it is stored, and to be turned by a quarter.
sideways = halves(32, 16)
exif = Image.Exif()
exif[0x0112] = 6
sideways.save(folder / "sideways.jpg", quality=100, subsampling=0, exif=exif)

# A red frame, then blue ones.
frames = [Image.new("RGB", (16, 16), color) for color in (RED, BLUE, BLUE)]
for name in ("animated.gif", "animated.webp", "animated.png"):
    frames[0].save(
        folder / name, save_all=True, append_images=frames[1:], duration=100, **(
            {"lossless": True} if name.endswith("webp") else {}))

# A white pixel, and shapes that fit no room well.
Image.new("L", (1, 1), 255).save(folder / "pixel.png")
halves(128, 4).save(folder / "wide.png", optimize=True)
halves(4, 128).save(folder / "tall.png", optimize=True)

# Kilobytes that claim to be a hundred million pixels, and a line that is too long.
Image.new("1", (10_000, 10_000)).save(folder / "huge.png", optimize=True)
Image.new("1", (20_000, 1)).save(folder / "long.png", optimize=True)
