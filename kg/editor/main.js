// The query editor of the page /editor: Yasgui, told to know this graph and to ask nobody else.
//
// The page works without it: it has a form with a text and a button. The script takes from the form
// where queries are asked (data-endpoint), below which IRI the graph's things have theirs (data-base),
// the address of the page (action) and the text, and puts the editor in its place. What can be completed is had at the page's address, /vocabulary after it.

import Yasgui from "@zazuko/yasgui";
import "@zazuko/yasgui/build/yasgui.min.css";
import "./style.css";
import { Chart } from "./chart.js";
import { completers } from "./completion.js";
import { labelled } from "./labels.js";
import { linked } from "./links.js";
import { problem } from "./problem.js";
import { explained } from "./syntax.js";

const NO_VOCABULARY = { prefixes: {}, classes: [], properties: [], concepts: [] };
const { Yasqe, Yasr } = Yasgui;

async function fetched(address) {
  try {
    const response = await fetch(address, { headers: { Accept: "application/json" } });
    return response.ok ? await response.json() : NO_VOCABULARY;
  } catch {
    return NO_VOCABULARY; // the editor works without completion
  }
}

function start(form, vocabulary) {
  const page = form.action;
  const request = {
    endpoint: new URL(form.dataset.endpoint, document.baseURI).href,
    method: "POST",
    acceptHeaderSelect: "application/sparql-results+json,*/*;q=0.9",
    acceptHeaderGraph: "text/turtle,*/*;q=0.9",
    args: [],
    headers: {},
    namedGraphs: [],
    defaultGraphs: [],
  };
  adapt(vocabulary, page);
  const place = document.createElement("div");
  form.after(place);
  const asked = new URLSearchParams(location.search);
  const yasgui = new Yasgui(place, {
    autoAddOnInit: !asked.has("query"),
    autofocus: false,
    copyEndpointOnNewTab: false,
    endpointCatalogueOptions: { getData: () => [] },
    persistenceId: "paperkg",
    // Yasgui would let an address say where, and with which headers, its query is sent.
    populateFromUrl: false,
    requestConfig: request,
    yasqe: { value: form.elements.namedItem("query").value },
    yasr: { maxPersistentResponseSize: 0, prefixes: vocabulary.prefixes },
  });
  labelled(place);
  linked(place, new URL(".", page), [
    [vocabulary.prefixes.vocab, "vocab/"],
    [vocabulary.prefixes.kg, "ns#"],
    [form.dataset.base, ""],
  ].filter(([beginning]) => beginning));
  for (const tab of Object.values(yasgui._tabs)) {
    tab.setRequestConfig(request); // of tabs that the browser has kept
  }
  form.hidden = true;
  // What the server has answered already stays until something is asked here.
  const answers = document.querySelectorAll("#answer, .fault");
  yasgui.on("query", () => answers.forEach((answer) => (answer.hidden = true)));
  if (asked.has("query")) {
    const shown = asked.get("outputFormat");
    const tab = opened(yasgui, asked.get("query"), shown);
    if (shown || !answers.length) ask(tab);
  }
  document.addEventListener("click", (event) => example(event, yasgui));
}

// Replaces what Yasgui does by default: completion, addresses to share, and what is shown.
function adapt(vocabulary, page) {
  Yasqe.defaults.autocompleters = ["variables"];
  for (const completer of completers(Yasqe, vocabulary)) Yasqe.registerAutocompleter(completer);
  explained(Yasqe);
  Yasr.registerPlugin("chart", Chart);
  Yasr.defaults.pluginOrder = ["table", "chart", "response"];
  Yasr.defaults.errorRenderers = [problem];
  Yasgui.Tab.prototype.getShareableLink = function () {
    const address = new URL(page);
    address.searchParams.set("query", this.getQuery());
    const shown = this.getPersistedJson().yasr.settings.selectedPlugin;
    if (shown && shown !== "table") address.searchParams.set("outputFormat", shown);
    return address.href;
  };
}

// Opens a query in its tab, or in a new one.
function opened(yasgui, query, shown, name) {
  const known = Object.values(yasgui._tabs).find((tab) => tab.getPersistedJson().yasqe.value === query);
  const begun = Yasgui.Tab.getDefaults(yasgui);
  begun.yasqe.value = query;
  if (name) begun.name = yasgui.createTabName(name);
  if (shown in Yasr.plugins) begun.yasr.settings.selectedPlugin = shown;
  const tab = known ?? yasgui.addTab(true, begun);
  tab.select();
  return tab;
}

function ask(tab) {
  tab.query().catch(() => {}); // what went wrong is shown where the answer would be
}

function example(event, yasgui) {
  const link = event.target.closest?.(".examples a[href]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const query = new URL(link.href).searchParams.get("query");
  if (query === null) return;
  event.preventDefault();
  ask(opened(yasgui, query, null, link.textContent.trim()));
  yasgui.rootEl.scrollIntoView({ block: "nearest" });
}

const form = document.querySelector("form#editor");
if (form) fetched(`${form.action}/vocabulary`).then((vocabulary) => start(form, vocabulary));
