#!/usr/bin/env python3
"""Draws one table of docs/attention-peers.md, as attention_peers.py writes it, as an SVG bar chart.

    draw_peers.py TABLE.md forward|backward OUT.svg

A bar is the median, the line on it reaches from the least to the greatest round. Columns that no row
has a figure for, and the shares, clocks and errors behind the figures, are left out.
"""
import html
import re
import sys

COLOURS = {"hopper": "#1b5fc1", "hopper_deterministic": "#86b4ee", "fused": "#2a9d8f", "naive": "#b9c0c7",
           "cudnn": "#e08214", "flash": "#7a5195", "math": "#d9d9d9"}
LABELS = {"cudnn": "cuDNN (SDPA)", "flash": "FlashAttention-2 (SDPA)", "math": "math (SDPA)",
          "hopper_deterministic": "hopper, deterministic"}
WIDTH, PLOT_TOP, ROW_HEIGHT, BAR_HEIGHT, LEFT = 980, 84, 8, 11, 290
FIGURE = re.compile(r"([\d.]+) \(([\d.]+) to ([\d.]+)\)")


def read_table(path, direction):
    """[(case, {kernel: (median, least, greatest)})]"""
    rows, columns = [], None
    with open(path, encoding="utf-8") as file:
        for line in file:
            cells = [c.strip() for c in line.strip().strip("|").split("|")] if line.startswith("|") else []
            if not cells:
                columns = None
            elif cells[0] == direction:
                columns = cells
            elif columns and not cells[0].startswith("---"):
                figures = {name: tuple(map(float, FIGURE.fullmatch(cell).groups()))
                           for name, cell in zip(columns, cells) if FIGURE.fullmatch(cell)}
                rows.append((cells[0], figures))
    if not rows:
        sys.exit(f"error: {path}: no table of {direction}")
    return rows


def draw(rows, direction):
    kernels = [k for k in COLOURS if any(k in figures for _, figures in rows)]
    top = max(greatest for _, figures in rows for _, _, greatest in figures.values())
    axis_end = (int(top) // 100 + 1) * 100
    x = lambda value: LEFT + value / axis_end * (WIDTH - LEFT - 50)
    height = PLOT_TOP + sum(len(f) * BAR_HEIGHT + 2 * ROW_HEIGHT for _, f in rows) + 44
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
           'font-family="system-ui, sans-serif" font-size="12" fill="#24292f">',
           f'<title>Attention {direction}: TFLOP/s of each kernel</title>',
           '<rect width="100%" height="100%" fill="#ffffff"/>',
           f'<text x="16" y="26" font-size="16" font-weight="600">Attention {direction}, TFLOP/s</text>']
    legend_x = 16
    for kernel in kernels:
        label = LABELS.get(kernel, kernel)
        out.append(f'<rect x="{legend_x}" y="42" width="12" height="12" fill="{COLOURS[kernel]}"/>'
                   f'<text x="{legend_x + 17}" y="52">{html.escape(label)}</text>')
        legend_x += 38 + 7 * len(label)
    for value in range(0, axis_end + 1, 100):
        out.append(f'<line x1="{x(value):.1f}" x2="{x(value):.1f}" y1="{PLOT_TOP - 6}" y2="{height - 36}" stroke="#e3e6ea"/>'
                   f'<text x="{x(value):.1f}" y="{height - 18}" text-anchor="middle">{value}</text>')
    y = PLOT_TOP
    for case, figures in rows:
        y += ROW_HEIGHT
        middle = y + len(figures) * BAR_HEIGHT / 2 + 4
        out.append(f'<text x="{LEFT - 10}" y="{middle:.1f}" text-anchor="end">{html.escape(case)}</text>')
        for kernel in (k for k in kernels if k in figures):
            median, least, greatest = figures[kernel]
            centre = y + BAR_HEIGHT / 2
            out.append(f'<rect x="{LEFT}" y="{y + 1}" width="{x(median) - LEFT:.1f}" height="{BAR_HEIGHT - 2}" '
                       f'fill="{COLOURS[kernel]}"><title>{kernel}: {median} ({least:g} to {greatest:g})</title></rect>'
                       f'<line x1="{x(least):.1f}" x2="{x(greatest):.1f}" y1="{centre}" y2="{centre}" stroke="#24292f"/>'
                       f'<text x="{x(max(median, greatest)) + 4:.1f}" y="{centre + 3.5}" font-size="9.5">{median:.0f}</text>')
            y += BAR_HEIGHT
        y += ROW_HEIGHT
    out.append("</svg>")
    return "\n".join(out) + "\n"


def main():
    if len(sys.argv) != 4 or sys.argv[2] not in ("forward", "backward"):
        sys.exit(__doc__)
    with open(sys.argv[3], "w", encoding="utf-8") as file:
        file.write(draw(read_table(sys.argv[1], sys.argv[2]), sys.argv[2]))


if __name__ == "__main__":
    main()
