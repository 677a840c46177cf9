"use strict";
// The roofline's zoom, toggles and selection. The SVG is the whole chart without this script; here its
// parts are moved, never drawn anew, but for the ticks of the axes.
(() => {
  const chart = document.getElementById("roofline-chart");
  const svg = chart.querySelector("svg");
  const tools = document.getElementById("roofline-tools");
  const numbers = (text) => text.split(" ").map(Number);
  const [left, top, width, height] = numbers(svg.dataset.plot);
  const [x0, x1, y0, y1] = numbers(svg.dataset.decades);
  const right = left + width;
  const bottom = top + height;
  const plot = svg.querySelector(".plot");
  const ticks = svg.querySelector(".ticks");
  const furthest = 60;

  // --- Zoom: a point (x, y) of the whole chart is shown at (scale * x + dx, scale * y + dy). ---
  const view = { scale: 1, dx: 0, dy: 0 };
  const attribute = (element, name) => Number(element.getAttribute(name));
  const lines = [...plot.querySelectorAll("line:not(.leader)")].map((element) => ({
    element, ends: ["x1", "y1", "x2", "y2"].map((name) => attribute(element, name)) }));
  const followers = [...plot.querySelectorAll("[data-x], [data-y]")].map((element) => ({
    element, x: element.dataset.x && Number(element.dataset.x), y: element.dataset.y && Number(element.dataset.y) }));
  const slopes = [...plot.querySelectorAll(".along")].map((element) => ({
    element, transform: element.getAttribute("transform"), x: element.getAttribute("x"),
    line: lines.find((one) => one.element === element.parentNode.querySelector("line")) }));

  const show = (element, on) => { element.style.visibility = on ? "" : "hidden"; };
  const keepCovered = () => {
    view.dx = Math.min(left * (1 - view.scale), Math.max(right * (1 - view.scale), view.dx));
    view.dy = Math.min(top * (1 - view.scale), Math.max(bottom * (1 - view.scale), view.dy));
  };

  // The label of a slanted roof stands at the lower end of what is seen of its roof.
  const placeSlope = (one) => {
    if (view.scale === 1) {
      one.element.setAttribute("transform", one.transform);
      one.element.setAttribute("x", one.x);
      show(one.element, true);
      return;
    }
    const [ax, ay, bx, by] = one.line.ends.map((value, i) => view.scale * value + (i % 2 ? view.dy : view.dx));
    let from = 0;
    let to = 1;
    for (const [a, b, low, high] of [[ax, bx, left, right], [ay, by, top, bottom]]) {
      const [enter, leave] = [(low - a) / (b - a), (high - a) / (b - a)];
      from = Math.max(from, Math.min(enter, leave));
      to = Math.min(to, Math.max(enter, leave));
    }
    const length = Math.hypot(bx - ax, by - ay);
    const room = (to - from) * length;
    show(one.element, room > one.element.getComputedTextLength() + 40);
    const angle = Math.atan2(by - ay, bx - ax) * 180 / Math.PI;
    one.element.setAttribute("transform", `translate(${ax.toFixed(1)} ${ay.toFixed(1)}) rotate(${angle.toFixed(2)})`);
    one.element.setAttribute("x", (from * length + 20).toFixed(1));
  };

  // Decades, with 2 and 5 between them when few are seen, even steps when less than half of one is.
  const marks = (low, high) => {
    const values = [];
    if (high - low < 0.5) {
      const [from, to] = [10 ** low, 10 ** high];
      const rough = (to - from) / 5;
      const decade = 10 ** Math.floor(Math.log10(rough));
      const step = decade * [1, 2, 5, 10].find((one) => one * decade >= rough);
      for (let value = Math.ceil(from / step) * step; value <= to; value += step) { values.push(value); }
      return values;
    }
    for (let decade = Math.floor(low); decade <= high; ++decade) {
      for (const one of high - low < 2.5 ? [1, 2, 5] : [1]) {
        const value = one * 10 ** decade;
        if (Math.log10(value) >= low && Math.log10(value) <= high) { values.push(value); }
      }
    }
    return values;
  };
  const short = (value) => String(Number(value.toPrecision(4)));
  const withPrefix = (value) => {
    const power = Math.max(0, Math.min(6, Math.floor(Math.log10(value) / 3 + 1e-9)));
    return short(value / 1000 ** power) + (power ? " " + "kMGTPE"[power - 1] : "");
  };
  const draw = (name, attributes, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) { element.setAttribute(key, value); }
    if (text !== undefined) { element.textContent = text; }
    return element;
  };
  let zoomed = null;
  const drawTicks = () => {
    if (zoomed) { zoomed.remove(); zoomed = null; }
    ticks.style.display = view.scale === 1 ? "" : "none";
    if (view.scale === 1) { return; }
    zoomed = draw("g", { class: "ticks zoomed" });
    const decadeX = (x) => x0 + ((x - view.dx) / view.scale - left) / width * (x1 - x0);
    const decadeY = (y) => y1 - ((y - view.dy) / view.scale - top) / height * (y1 - y0);
    for (const value of marks(decadeX(left), decadeX(right))) {
      const x = view.scale * (left + (Math.log10(value) - x0) / (x1 - x0) * width) + view.dx;
      zoomed.append(draw("line", { class: "grid", x1: x, x2: x, y1: top, y2: bottom }),
        draw("text", { class: "tick", x, y: bottom + 20, "text-anchor": "middle" }, short(value)));
    }
    for (const value of marks(decadeY(bottom), decadeY(top))) {
      const y = view.scale * (top + (y1 - Math.log10(value)) / (y1 - y0) * height) + view.dy;
      zoomed.append(draw("line", { class: "grid", x1: left, x2: right, y1: y, y2: y }),
        draw("text", { class: "tick", x: left - 10, y: y + 4, "text-anchor": "end" }, withPrefix(value)));
    }
    plot.before(zoomed);
  };

  const update = () => {
    keepCovered();
    for (const { element, ends } of lines) {
      ["x1", "y1", "x2", "y2"].forEach((name, i) => element.setAttribute(name, view.scale * ends[i] + (i % 2 ? view.dy : view.dx)));
    }
    for (const { element, x, y } of followers) {
      const moved = [x, y].map((value, i) => value === undefined ? 0 : (view.scale - 1) * value + (i ? view.dy : view.dx));
      element.setAttribute("transform", `translate(${moved[0].toFixed(2)} ${moved[1].toFixed(2)})`);
    }
    slopes.forEach(placeSlope);
    drawTicks();
    chart.dataset.zoom = view.scale.toFixed(2);
    chart.classList.toggle("zoomed", view.scale !== 1);
    tools.querySelector("[data-zoom=reset]").disabled = view.scale === 1;
    tools.querySelector("[data-zoom=out]").disabled = view.scale === 1;
  };
  const zoom = (factor, x = left + width / 2, y = top + height / 2) => {
    let scale = Math.min(furthest, Math.max(1, view.scale * factor));
    if (scale < 1.01) { scale = 1; }
    view.dx = x - (x - view.dx) * scale / view.scale;
    view.dy = y - (y - view.dy) * scale / view.scale;
    view.scale = scale;
    update();
  };
  const pan = (dx, dy) => { view.dx += dx; view.dy += dy; update(); };
  const reset = () => { Object.assign(view, { scale: 1, dx: 0, dy: 0 }); update(); };
  const inChart = (event) => {
    const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [place.x, place.y];
  };
  const act = { in: () => zoom(1.5), out: () => zoom(1 / 1.5), reset };
  for (const button of tools.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => act[button.dataset.zoom]());
  }
  // Without a modifier the wheel scrolls the page, until the chart was clicked or reached by keyboard.
  chart.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && !chart.contains(document.activeElement)) { return; }
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * 0.002), ...inChart(event));
  }, { passive: false });
  const step = 60;
  const keys = { "+": act.in, "=": act.in, "-": act.out, "0": reset, ArrowLeft: () => pan(step, 0),
    ArrowRight: () => pan(-step, 0), ArrowUp: () => pan(0, step), ArrowDown: () => pan(0, -step) };
  chart.addEventListener("keydown", (event) => {
    const arrow = event.key.startsWith("Arrow");
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key] || (arrow && view.scale === 1)) { return; }
    event.preventDefault();
    keys[event.key]();
  });
  let drag = null;
  svg.addEventListener("pointerdown", (event) => { drag = { at: inChart(event), id: event.pointerId }; chart.focus({ preventScroll: true }); });
  svg.addEventListener("pointermove", (event) => {
    if (!drag || drag.id !== event.pointerId || view.scale === 1) { return; }
    const at = inChart(event);
    pan(at[0] - drag.at[0], at[1] - drag.at[1]);
    drag.at = at;
    chart.classList.add("dragging");
  });
  const drop = () => { drag = null; chart.classList.remove("dragging"); };
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) { svg.addEventListener(end, drop); }

  // --- What is shown: levels, measured ceilings and precisions. ---
  for (const box of tools.querySelectorAll("input[data-hides]")) {
    box.addEventListener("change", () => chart.classList.toggle("hide-" + box.dataset.hides, !box.checked));
  }
  for (const box of tools.querySelectorAll("input[data-of]")) {
    box.addEventListener("change", () => {
      for (const element of svg.querySelectorAll("[data-precision]")) {
        if (element.dataset.precision === box.dataset.of) { element.classList.toggle("off", !box.checked); }
      }
    });
  }

  // --- Selection: a kernel's marks and its row in the table. ---
  const selection = document.getElementById("selection");
  let chosen = null;
  const select = (kernel) => {
    chosen = kernel === chosen ? null : kernel;
    chart.classList.toggle("has-selection", chosen !== null);
    for (const element of svg.querySelectorAll("[data-kernel]")) {
      element.classList.toggle("selected", element.dataset.kernel === chosen);
    }
    for (const row of document.querySelectorAll("#kernel-table tr.selected")) { row.classList.remove("selected"); }
    const row = chosen === null ? null : document.getElementById("kernel-" + chosen);
    selection.replaceChildren();
    selection.hidden = !row;
    if (!row) { return; }
    row.classList.add("selected");
    const link = document.createElement("a");
    link.href = "#" + row.id;
    link.textContent = row.cells[0].textContent;
    const name = document.createElement("code");
    name.textContent = row.cells[0].title;
    selection.append("Selected: ", link, " ", name);
  };
  for (const point of svg.querySelectorAll(".point")) {
    point.setAttribute("role", "button");
    point.addEventListener("click", () => { select(point.dataset.kernel); point.focus({ preventScroll: true }); });
    point.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); select(point.dataset.kernel); }
    });
  }
  document.getElementById("kernel-table").addEventListener("click", (event) => {
    const row = event.target.closest("tbody tr[id]");
    if (row && !event.target.closest("a")) { select(row.id.replace("kernel-", "")); }
  });
  addEventListener("keydown", (event) => { if (event.key === "Escape" && chosen !== null) { select(chosen); } });
  addEventListener("beforeprint", reset);

  tools.hidden = false;
  update();
})();
