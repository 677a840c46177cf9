"use strict";
(() => {
  const root = document.documentElement;

  const theme = document.getElementById("theme");
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const name = () => { theme.textContent = dark() ? "Light" : "Dark"; };
  theme.hidden = false;
  theme.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; name(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  name();

  // A table's rows: those of the page, and, in the kernel table of a large session, further ones as
  // printed texts, which become rows when they are asked for.
  const prefixes = { p: 1e-12, n: 1e-9, "\u00b5": 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 };
  const fromText = (text, numeric) => {
    if (!numeric) { return text === "n/a" || text === "" ? undefined : text.toLowerCase(); }
    const [, digits, prefix] = text.match(/^(-?[\d,.]+) ?([pn\u00b5mkMGTPE](?=[A-Za-z]|$))?/) || [];
    return digits === undefined ? undefined : Number(digits.replaceAll(",", "")) * (prefixes[prefix] || 1);
  };
  const makeRow = (texts, heads) => {
    const row = document.createElement("tr");
    texts.forEach((text, column) => {
      const cell = document.createElement(column ? "td" : "th");
      cell.className = heads[column].classList.contains("number") ? "number" : "text";
      if (text === "n/a") { cell.classList.add("absent"); }
      cell.textContent = text;
      row.append(cell);
    });
    return row;
  };
  const page = 200;
  const manage = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    const numeric = heads.map((head) => head.classList.contains("number"));
    const rows = [...body.rows].map((element) => ({
      element, keys: [...element.cells].map((cell, column) => cell.dataset.value === undefined ? undefined
        : numeric[column] ? Number(cell.dataset.value) : cell.dataset.value) }));
    const more = document.getElementById(table.dataset.more || "");
    for (const texts of more ? JSON.parse(more.textContent) : []) {
      rows.push({ texts, keys: texts.map((text, column) => fromText(text, numeric[column])) });
    }
    rows.forEach((row, index) => { row.index = index; });
    let shown = Math.max(page, body.rows.length);
    let wanted = "";
    let order = null;
    const status = table.dataset.more ? document.getElementById(table.dataset.more + "-status") : null;
    const button = status && status.querySelector("button");
    const count = status && status.querySelector("span");
    const render = () => {
      // Names in lower case are what the first column is sorted by: "" finds all.
      let list = rows.filter((row) => !wanted || String(row.keys[0]).includes(wanted));
      if (order) {
        const { column, descending } = order;
        list.sort((a, b) => {
          const [x, y] = [a.keys[column], b.keys[column]];
          if (x === undefined || y === undefined) { return (x === undefined) - (y === undefined) || a.index - b.index; }
          const difference = numeric[column] ? x - y : x.localeCompare(y);
          return (descending ? -difference : difference) || a.index - b.index;
        });
      }
      const part = list.slice(0, shown);
      body.replaceChildren(...part.map((row) => row.element ||= makeRow(row.texts, heads)));
      if (status) {
        count.textContent = `${part.length.toLocaleString("en")} of ${list.length.toLocaleString("en")} kernels`;
        button.hidden = part.length === list.length;
      }
    };
    heads.forEach((head, column) => {
      const sorter = document.createElement("button");
      sorter.type = "button";
      sorter.textContent = head.textContent;
      head.replaceChildren(sorter);
      sorter.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const descending = before ? before === "ascending" : numeric[column];
        for (const other of heads) { other.removeAttribute("aria-sort"); }
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        order = { column, descending };
        render();
      });
    });
    if (status) {
      const filter = status.querySelector("input");
      filter.addEventListener("input", () => { wanted = filter.value.trim().toLowerCase(); shown = page; render(); });
      button.addEventListener("click", () => { shown += page; render(); });
      status.hidden = false;
      render();
    }
  };
  document.querySelectorAll("table.sortable").forEach(manage);

  // Tooltips that keyboards reach as well; they replace the browser's own.
  const tip = document.getElementById("tip");
  const show = (text, x, y) => {
    tip.textContent = text;
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(8, Math.min(x + 16, innerWidth - box.width - 8)) + "px";
    tip.style.top = (y + 18 + box.height > innerHeight ? Math.max(8, y - box.height - 12) : y + 18) + "px";
  };
  const hide = () => { tip.hidden = true; };
  for (const point of document.querySelectorAll("#roofline-chart .point")) {
    const title = point.querySelector("title");
    const text = title.textContent;
    point.setAttribute("aria-label", text);
    title.remove();
    point.addEventListener("mousemove", (event) => show(text, event.clientX, event.clientY));
    point.addEventListener("mouseleave", hide);
    point.addEventListener("focus", () => { const box = point.getBoundingClientRect(); show(text, box.right, box.bottom - 18); });
    point.addEventListener("blur", hide);
  }
  addEventListener("keydown", (event) => { if (event.key === "Escape") { hide(); } });
  addEventListener("beforeprint", () => { for (const one of document.querySelectorAll("details")) { one.open = true; } });

  root.dataset.script = "ready";
})();
