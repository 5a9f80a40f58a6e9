"""Makes the pictures beside it, for measuring. Needs Pillow."""

from pathlib import Path
from PIL import Image, ImageDraw, ImageFilter
import random

folder = Path(__file__).parent
random.seed(20)

# As much detail as a photograph: blurred blobs, and grain on top.
photo = Image.new("RGB", (2400, 1600), (90, 120, 160))
draw = ImageDraw.Draw(photo)
for _ in range(400):
    x, y, r = random.randrange(2400), random.randrange(1600), random.randrange(20, 260)
    draw.ellipse((x - r, y - r, x + r, y + r), fill=tuple(random.randrange(256) for _ in range(3)))
photo = photo.filter(ImageFilter.GaussianBlur(6))
grain = Image.effect_noise((2400, 1600), 24).convert("RGB")
photo = Image.blend(photo, grain, 0.12)
photo.save(folder / "photo.jpg", quality=75)
photo.resize((1200, 800)).save(folder / "photo.webp", quality=70)

# An icon and a drawing.
sock = Image.new("RGBA", (96, 96), (0, 0, 0, 0))
draw = ImageDraw.Draw(sock)
draw.rounded_rectangle((24, 4, 60, 70), 8, fill=(200, 40, 60, 255))
draw.rounded_rectangle((24, 50, 90, 90), 18, fill=(200, 40, 60, 255))
for y in range(10, 50, 14):
    draw.rectangle((24, y, 60, y + 6), fill=(240, 220, 120, 255))
sock.save(folder / "icon.png", optimize=True)
drawing = Image.new("RGB", (1200, 900), (250, 250, 245))
draw = ImageDraw.Draw(drawing)
for index in range(160):
    x, y = random.randrange(1200), random.randrange(900)
    box = (x, y, x + random.randrange(20, 300), y + random.randrange(20, 200))
    draw.rectangle(box, outline=(20, 20, 60), fill=tuple(random.randrange(256) for _ in range(3)))
drawing.save(folder / "drawing.png", optimize=True)
drawing.resize((600, 450)).convert("P", palette=Image.ADAPTIVE).save(folder / "drawing.gif")
