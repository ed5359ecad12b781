// Links to the things of the graph lead to their pages on this server, wherever their IRIs say that
// the data is at home: [[beginning of an IRI, path on this server], …], the first that fits.

export function linked(place, site, homes) {
  const mend = () => {
    for (const link of place.querySelectorAll(".yasr a.iri[target]")) {
      const home = homes.find(([beginning]) => link.href.startsWith(beginning));
      if (home) link.href = new URL(home[1] + link.href.slice(home[0].length), site).href;
      link.removeAttribute("target"); // so that it is looked at once; and it opens where it is asked to
    }
  };
  new MutationObserver(mend).observe(place, { childList: true, subtree: true });
  mend();
}
