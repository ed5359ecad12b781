// Solutions as a chart, drawn as SVG: one column across, one or more columns of numbers up. Bars for
// names, points joined by a line for years, dates and numbers. Nothing is loaded for it, and no style
// stands in an attribute: the page's policy forbids both.

const SVG = "http://www.w3.org/2000/svg";
const XSD = "http://www.w3.org/2001/XMLSchema#";
const NUMERIC = /^(integer|decimal|double|float|int|long|short|byte|nonNegativeInteger|positiveInteger)$/;
const TIME = /^(gYear|gYearMonth|date|dateTime)$/;
const SIZE = { width: 900, height: 420, left: 70, right: 20, top: 20, bottom: 110 };
const MOST_BARS = 60;
const MOST_POINTS = 2000;
const MOST_SERIES = 6;

export class Chart {
  priority = 5;
  label = "Chart";

  constructor(yasr) {
    this.yasr = yasr;
  }

  getIcon() {
    const icon = element("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" });
    icon.append(element("path", { d: "M1 15V1h1v13h13v1zM4 12V8h2v4zm4 0V3h2v9zm4 0V6h2v6z" }));
    return icon;
  }

  canHandleResults() {
    return series(this.yasr.results).length > 0;
  }

  draw(settings) {
    const columns = this.yasr.results.getVariables();
    const numbers = series(this.yasr.results);
    const chosen = {
      across: columns.includes(settings?.across) ? settings.across : first(columns, numbers, this.yasr.results),
      up: numbers.includes(settings?.up) ? settings.up : "",
    };
    const place = document.createElement("div");
    place.className = "kg-chart";
    this.yasr.resultsEl.append(place);
    const redraw = () => {
      this.yasr.storePluginConfig("chart", chosen);
      figure.replaceChildren(...drawn(this.yasr.results, chosen, numbers));
    };
    const controls = document.createElement("p");
    controls.append(
      choice("Across", columns, chosen.across, (name) => ((chosen.across = name), redraw())),
      choice("Up", ["", ...numbers], chosen.up, (name) => ((chosen.up = name), redraw())),
    );
    const figure = document.createElement("figure");
    figure.tabIndex = 0; // on a phone it is wider than the page and scrolls
    place.append(controls, figure);
    figure.replaceChildren(...drawn(this.yasr.results, chosen, numbers));
  }
}

function kind(binding) {
  if (!binding?.datatype?.startsWith(XSD)) return "";
  const type = binding.datatype.slice(XSD.length);
  return NUMERIC.test(type) ? "number" : TIME.test(type) ? "time" : "";
}

// The columns in which every value is a number, and there is one.
function series(results) {
  const rows = results?.getBindings?.() ?? [];
  return (results?.getVariables?.() ?? []).filter((name) => {
    const values = rows.map((row) => row[name]).filter(Boolean);
    return values.length > 0 && values.every((value) => kind(value) === "number");
  });
}

// What goes across where nothing is chosen: times, else names, else the first column.
function first(columns, numbers, results) {
  const rows = results.getBindings();
  const isTime = (name) => rows.some((row) => kind(row[name]) === "time");
  return columns.find(isTime) ?? columns.find((name) => !numbers.includes(name)) ?? columns[0];
}

function drawn(results, chosen, numbers) {
  const rows = results.getBindings();
  const names = (chosen.up ? [chosen.up] : numbers.filter((name) => name !== chosen.across)).slice(0, MOST_SERIES);
  const shown = names.length ? names : [chosen.across];
  const kinds = new Set(rows.map((row) => kind(row[chosen.across])));
  const isScale = kinds.size === 1 && !kinds.has("");
  const most = isScale ? MOST_POINTS : MOST_BARS;
  const points = rows
    .slice(0, most)
    .map((row) => ({
      text: short(row[chosen.across]?.value ?? ""),
      across: place(row[chosen.across]),
      values: shown.map((name) => (row[name] ? Number(row[name].value) : NaN)),
    }));
  const values = points.flatMap((point) => point.values).filter(Number.isFinite);
  if (!values.length) return [text("p", "There is no number to draw.")];
  const up = scale(Math.min(0, ...values), Math.max(0, ...values), SIZE.height - SIZE.bottom, SIZE.top);
  const svg = element("svg", {
    viewBox: `0 0 ${SIZE.width} ${SIZE.height}`,
    role: "img",
    "aria-label": `${shown.join(", ")} by ${chosen.across}`,
  });
  for (const tick of up.ticks) {
    const y = up.at(tick);
    svg.append(element("line", { class: "grid", x1: SIZE.left, x2: SIZE.width - SIZE.right, y1: y, y2: y }));
    svg.append(label(SIZE.left - 8, y + 4, tick.toLocaleString("en"), "end"));
  }
  (isScale ? lines : bars)(svg, points, up, shown);
  const caption = text("figcaption", shown.length > 1 ? "" : `${shown[0]} by ${chosen.across}`);
  if (shown.length > 1) {
    shown.forEach((name, n) => {
      const entry = text("span", name);
      entry.className = `key series-${n}`;
      caption.append(entry, " ");
    });
  }
  if (rows.length > most) caption.append(` The first ${most} of ${rows.length} rows are drawn.`);
  return [svg, caption];
}

function bars(svg, points, up, shown) {
  const width = (SIZE.width - SIZE.left - SIZE.right) / points.length;
  points.forEach((point, n) => {
    const left = SIZE.left + n * width;
    point.values.forEach((value, m) => {
      if (!Number.isFinite(value)) return;
      const bar = (width * 0.8) / shown.length;
      const [y, zero] = [up.at(value), up.at(0)];
      const rect = element("rect", {
        class: `series-${m}`,
        x: left + width * 0.1 + m * bar,
        y: Math.min(y, zero),
        width: bar,
        height: Math.abs(zero - y),
      });
      rect.append(title(point, value, shown[m]));
      svg.append(rect);
    });
    const [x, y] = [left + width / 2, SIZE.height - SIZE.bottom + 14];
    const name = label(x, y, point.text, "end");
    name.setAttribute("transform", `rotate(-40 ${x} ${y})`);
    svg.append(name);
  });
}

function lines(svg, points, up, shown) {
  const placed = points.filter((point) => Number.isFinite(point.across));
  const places = placed.map((point) => point.across);
  const [low, high] = [Math.min(...places), Math.max(...places)];
  const room = SIZE.width - SIZE.left - SIZE.right - 20;
  const at = (value) => SIZE.left + 10 + (high > low ? ((value - low) / (high - low)) * room : room / 2);
  shown.forEach((name, m) => {
    const seen = placed
      .map((point) => ({ ...point, value: point.values[m] }))
      .filter((point) => Number.isFinite(point.value))
      .sort((one, other) => one.across - other.across);
    const path = seen.map((point, n) => `${n ? "L" : "M"}${at(point.across)} ${up.at(point.value)}`);
    svg.append(element("path", { class: `line series-${m}`, d: path.join("") }));
    for (const point of seen) {
      const dot = element("circle", { class: `series-${m}`, cx: at(point.across), cy: up.at(point.value), r: 4 });
      dot.append(title(point, point.value, name));
      svg.append(dot);
    }
  });
  const named = new Map(placed.map((point) => [point.text, at(point.across)]));
  const every = Math.ceil(named.size / 10);
  [...named].sort((one, other) => one[1] - other[1]).forEach(([name, x], n) => {
    if (n % every === 0) svg.append(label(x, SIZE.height - SIZE.bottom + 22, name, "middle"));
  });
}

function place(binding) {
  if (kind(binding) === "number") return Number(binding.value);
  const [, year, month = "01", day = "01"] = /^(-?\d{4,})(?:-(\d\d))?(?:-(\d\d))?/.exec(binding?.value ?? "") ?? [];
  return year === undefined ? NaN : Date.UTC(Number(year), Number(month) - 1, Number(day));
}

// Round numbers from below the least to above the greatest value, and where they stand.
function scale(low, high, start, end) {
  const rough = (high - low || Math.abs(high) || 1) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const [from, to] = [Math.floor(low / step), Math.max(Math.ceil(high / step), Math.floor(low / step) + 1)];
  const ticks = Array.from({ length: to - from + 1 }, (_, n) => Number(((from + n) * step).toPrecision(12)));
  const at = (value) => start + ((value - from * step) / ((to - from) * step)) * (end - start);
  return { ticks, at };
}

function short(value) {
  const end = /^https?:/.test(value) ? value.replace(/^.*[/#](?=.)/, "") : value;
  return end.length > 22 ? `${end.slice(0, 21)}…` : end;
}

function choice(name, options, chosen, change) {
  const around = text("label", `${name} `);
  const select = document.createElement("select");
  for (const option of options) select.append(new Option(option || "all numbers", option));
  select.value = chosen;
  select.addEventListener("change", () => change(select.value));
  around.append(select);
  return around;
}

function title(point, value, name) {
  return text("title", `${point.text}: ${value.toLocaleString("en")} (${name})`, SVG);
}

function label(x, y, content, anchor) {
  const found = text("text", content, SVG);
  found.setAttribute("x", x);
  found.setAttribute("y", y);
  found.setAttribute("text-anchor", anchor);
  return found;
}

function text(name, content, namespace = "http://www.w3.org/1999/xhtml") {
  const found = document.createElementNS(namespace, name);
  found.textContent = content;
  return found;
}

function element(name, attributes) {
  const found = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) found.setAttribute(key, value);
  return found;
}
