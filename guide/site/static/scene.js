// The scene of an example: cells as in a terminal, drawn on a canvas.

/** The 16 colors of terminals, in light and in dark pages. */
const LIGHT = ["#23252a", "#c62828", "#2e7d32", "#8a5a00", "#1565c0", "#8e24aa", "#00757f", "#5f6269", "#8b8e95", "#d84a4a", "#3c9142", "#a86f00", "#3f83d0", "#a94bc0", "#1a8f99", "#101114"];
const DARK = ["#191b1f", "#ef6c66", "#66bb6a", "#f0c23c", "#64a5f0", "#ce78e0", "#4dc4cf", "#a3a8b0", "#70757d", "#ff8a84", "#86d88a", "#ffdd66", "#8cc0ff", "#e39cf2", "#7fe0e8", "#ffffff"];
const [BOLD, DIM, REVERSED] = [1, 2, 4];
/** Frames: the halves of a cell that a line crosses: left, right, up, down. */
const LINES = { "─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ru", "┘": "lu", "├": "rud", "┤": "lud", "┬": "lrd", "┴": "lru", "┼": "lrud" };
/** The dots of a Braille character, in the order of its bits: column and row. */
const DOTS = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [0, 3], [1, 3]];
/** The columns that a narrow canvas shows at least, and the bounds of the size of letters. */
const COLUMNS = 46;
const [SMALLEST, LARGEST] = [9, 15];

export class Scene {
  /** What the user has done since the last tick. */
  inputs = [];

  constructor(canvas, example) {
    Object.assign(this, { canvas, example, pen: canvas.getContext("2d") });
    this.scheme = matchMedia("(prefers-color-scheme: dark)");
    this.scheme.onchange = () => this.draw();
    new ResizeObserver(() => this.resize()).observe(canvas);
    this.resize();
    canvas.addEventListener("pointerdown", (event) => this.point(event, true));
    canvas.addEventListener("pointermove", (event) => this.point(event, event.buttons > 0));
    canvas.addEventListener("keydown", (event) => {
      // Tab moves the focus, and shortcuts are those of the browser.
      if (event.key === "Tab" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!this.example.isKey(event.key)) return;
      event.preventDefault();
      this.press(event.key);
    });
  }

  /** Presses a key before the next tick. */
  press(key) {
    this.inputs.push(() => this.example.key(key));
  }

  point({ offsetX, offsetY }, pressed) {
    const [column, row] = [Math.floor(offsetX / this.width), Math.floor(offsetY / this.height)];
    if (column < 0 || row < 0) return;
    this.inputs.push(() => this.example.pointer(column, row, pressed));
  }

  /** Passes what the user has done. */
  passInputs() {
    for (const input of this.inputs.splice(0)) input();
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    const scale = devicePixelRatio;
    [this.canvas.width, this.canvas.height] = [clientWidth * scale, clientHeight * scale];
    this.pen.setTransform(scale, 0, 0, scale, 0, 0);
    this.size = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(clientWidth / COLUMNS / 0.6)));
    this.pen.font = this.font();
    this.width = this.pen.measureText("M").width;
    this.height = Math.round(this.size * 1.25);
    Object.assign(this.canvas.dataset, { cellWidth: this.width, cellHeight: this.height });
    this.columns = Math.max(1, Math.floor(clientWidth / this.width));
    this.rows = Math.max(1, Math.floor(clientHeight / this.height));
    this.draw();
  }

  font(weight = "") {
    return `${weight} ${this.size}px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace`;
  }

  draw() {
    const { pen, canvas } = this;
    const now = this.example.draw(this.columns, this.rows);
    // While a tick waits, the last picture stays.
    if (now.length) this.drawn = { cells: now, columns: this.columns, rows: this.rows };
    if (!this.drawn) return;
    const { cells, columns, rows } = this.drawn;
    const style = getComputedStyle(document.body);
    const [text, ground] = [style.color, style.backgroundColor];
    const named = this.scheme.matches ? DARK : LIGHT;
    const color = (value, other) => {
      if (value & 0x2000000) return other;
      return value & 0x1000000 ? named[value & 15] : `#${(value & 0xffffff).toString(16).padStart(6, "0")}`;
    };
    pen.fillStyle = ground;
    pen.fillRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    pen.textBaseline = "middle";
    for (let index = 0; index < columns * rows; index++) {
      const [letter, front, back] = cells.subarray(index * 3, index * 3 + 3);
      const modifiers = front >>> 28;
      const isReversed = modifiers & REVERSED;
      if (letter === 32 && !isReversed && back & 0x2000000) continue;
      const [x, y] = [(index % columns) * this.width, Math.floor(index / columns) * this.height];
      const [over, under] = [color(front, text), color(back, ground)];
      if (isReversed || !(back & 0x2000000)) {
        pen.fillStyle = isReversed ? over : under;
        pen.fillRect(x, y, this.width + 0.5, this.height);
      }
      pen.fillStyle = isReversed ? under : over;
      pen.globalAlpha = modifiers & DIM ? 0.6 : 1;
      this.drawLetter(letter, x, y, modifiers & BOLD);
      pen.globalAlpha = 1;
    }
  }

  /** Draws a character. Those that have to touch, or that fonts may lack, are drawn as shapes. */
  drawLetter(letter, x, y, isBold) {
    const { pen, width, height } = this;
    if (letter >= 0x2800 && letter <= 0x28ff) {
      const radius = Math.max(0.8, width / 7);
      for (const [bit, [column, row]] of DOTS.entries()) {
        if (!((letter >> bit) & 1)) continue;
        pen.beginPath();
        pen.arc(x + (column + 0.5) * (width / 2), y + (row + 0.5) * (height / 4), radius, 0, 7);
        pen.fill();
      }
    } else if (letter >= 0x2581 && letter <= 0x2588) {
      const part = ((letter - 0x2580) / 8) * height;
      pen.fillRect(x, y + height - part, width + 0.5, part);
    } else if (LINES[String.fromCodePoint(letter)]) {
      const halves = LINES[String.fromCodePoint(letter)];
      const [middle, center] = [Math.round(y + height / 2), Math.round(x + width / 2)];
      if (/[lr]/.test(halves)) {
        const from = halves.includes("l") ? x : center;
        pen.fillRect(from, middle, (halves.includes("r") ? x + width : center) - from + 0.5, 1);
      }
      if (/[ud]/.test(halves)) {
        const from = halves.includes("u") ? y : middle;
        pen.fillRect(center, from, 1, (halves.includes("d") ? y + height : middle) - from + 0.5);
      }
    } else if (letter !== 32) {
      pen.font = this.font(isBold ? "bold" : "");
      pen.fillText(String.fromCodePoint(letter), x, y + height / 2);
    }
  }
}
