// What pages do beyond what they do without scripts: names are suggested while they are typed,
// code can be copied, and the interface for programs shows its answers in place.
"use strict";

const search = document.body.dataset.search;

function suggest(input) {
  const list = document.getElementById(input.getAttribute("list"));
  let last = "";
  let waiting = 0;
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    const text = input.value.trim();
    if (text.length < 2 || text === last) return;
    waiting = setTimeout(async () => {
      last = text;
      const asked = new URLSearchParams({ q: text, limit: "8" });
      if (input.dataset.suggest) asked.set("kind", input.dataset.suggest);
      const response = await fetch(`${search}?${asked}`, { headers: { Accept: "application/json" } });
      if (!response.ok || input.value.trim() !== text) return;
      const { hits } = await response.json();
      list.replaceChildren(
        ...hits.map((hit) => {
          const option = document.createElement("option");
          const asSlug = input.dataset.value === "slug";
          option.value = asSlug ? hit.slug || hit.iri : hit.name;
          option.label = [asSlug ? hit.name : "", hit.kind, hit.detail].filter(Boolean).join(" · ");
          return option;
        }),
      );
    }, 150);
  });
}

function copyable(figure) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(figure.querySelector("code").textContent);
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 1500);
  });
  figure.querySelector("figcaption").append(button);
}

// An address has only what was filled in, so that it can be shared.
function filled(form) {
  return new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
}

function tried(form) {
  const reply = document.createElement("pre");
  reply.className = "reply";
  reply.tabIndex = 0;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const address = `${form.action}?${filled(form)}`;
    const headers = form.dataset.try ? { Accept: form.dataset.try } : { Accept: "*/*" };
    const response = await fetch(address, { headers });
    const text = await response.text();
    reply.textContent = `GET ${address}\n${response.status} ${response.headers.get("Content-Type")}\n\n${text.slice(0, 20000)}`;
    form.append(reply);
  });
}

document.querySelectorAll("input[data-suggest]").forEach(suggest);
document.querySelectorAll("form[data-try]").forEach(tried);
document.querySelectorAll("form.ask").forEach((form) => {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.assign(`${form.action}?${filled(form)}`);
  });
});
if (navigator.clipboard) document.querySelectorAll(".snippet").forEach(copyable);
