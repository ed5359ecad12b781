// Names and roles that Yasgui leaves out, for people who use a screen reader. Yasgui makes its parts
// when they are first shown, so they are mended as they come.

const ATTRIBUTES = [
  [".yasqe .CodeMirror textarea", { "aria-label": "SPARQL query" }],
  [".yasr .CodeMirror textarea", { "aria-label": "The server's response" }],
  [".yasr .tableFilter", { "aria-label": "Filter the rows" }],
  [".yasr .tableSizer", { "aria-label": "Rows on a page" }],
  [".tabsList .addTab", { role: "tab", "aria-selected": "false", "aria-label": "New query" }],
];

export function labelled(place) {
  const mend = () => {
    for (const [selector, attributes] of ATTRIBUTES) {
      for (const element of place.querySelectorAll(selector)) {
        for (const [name, value] of Object.entries(attributes)) {
          if (element.getAttribute(name) !== value) element.setAttribute(name, value);
        }
      }
    }
    for (const head of place.querySelectorAll(".yasr th .dt-column-title:empty")) head.append("#");
  };
  new MutationObserver(mend).observe(place, { childList: true, subtree: true });
  mend();
}
