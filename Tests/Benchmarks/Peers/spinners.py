"""As many spinners as it is told, each in a cell of its own, four side by side, until `q` is pressed;
j, k, h and l move a selection."""

import sys

from textual.app import App
from textual.containers import Grid
from textual.widgets import Static

GLYPHS = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
COLUMNS = 4


class Cell(Static):
    number = 0
    is_selected = False

    def turn(self, tick):
        name = f"[cell {self.number}]" if self.is_selected else f" cell {self.number} "
        self.update(f"{GLYPHS[tick % 10]} " + name.replace("[", "\\["))


class Spinners(App):
    CSS = "Grid { grid-size: 4; grid-rows: 1; height: 25; } Cell { height: 1; }"
    tick = 0
    selected = 0

    def compose(self):
        self.cells = []
        with Grid():
            for number in range(int(sys.argv[1])):
                cell = Cell()
                cell.number = number
                self.cells.append(cell)
                yield cell
        yield Static("what stands still while the spinners above it turn")

    def on_mount(self):
        self.select(0)
        self.set_interval(0.1, self.turn)

    def turn(self):
        self.tick += 1
        for cell in self.cells:
            cell.turn(self.tick)

    def select(self, number):
        if 0 <= number < len(self.cells):
            for place, chosen in ((self.selected, False), (number, True)):
                self.cells[place].is_selected = chosen
                self.cells[place].turn(self.tick)
            self.selected = number

    def on_key(self, event):
        steps = {"j": COLUMNS, "k": -COLUMNS, "l": 1, "h": -1}
        if event.key in steps:
            self.select(self.selected + steps[event.key])
        elif event.key == "q":
            self.exit()


Spinners().run()
