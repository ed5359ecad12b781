// Completion from the vocabulary of this server: {prefixes: {prefix: namespace}, classes,
// properties, concepts: [{iri, label}]}. A term is found by the beginning of its name with a prefix
// (kg:Pap), by that of its IRI (<https://…), or by a part of its name or label (paper).

import { declare } from "./prefixes.js";

const MOST = 100;

// Yasgui's completers, made to look terms up here: its own ask other hosts about what is typed.
export function completers(Yasqe, vocabulary) {
  const { prefixes, classes, properties, concepts } = vocabulary;
  const labels = new Map([...classes, ...properties, ...concepts].map(({ iri, label }) => [iri, label]));
  const known = (yasqe) => ({ ...prefixes, ...yasqe.getPrefixesFromQuery() });

  const terms = (name, found, isHere) => ({
    ...Yasqe.Autocompleters.property,
    name,
    autoShow: true,
    persistenceId: null,
    isValidCompletionPosition: isHere,
    preProcessToken: (yasqe, token) => {
      const { string, from } = begun(yasqe);
      return { ...token, string, from, autocompletionString: expanded(string, known(yasqe)) };
    },
    get: (_, token) => (token ? matching(found, token).slice(0, MOST) : []),
    postProcessSuggestion: (yasqe, _, iri) => compressed(iri, known(yasqe)),
    postprocessHints: (yasqe, hints) => hints.map((hint) => described(hint, known(yasqe), labels)),
  });

  const isProperty = Yasqe.Autocompleters.property.isValidCompletionPosition;
  const isClass = Yasqe.Autocompleters.class.isValidCompletionPosition;
  return [
    {
      ...Yasqe.Autocompleters.prefixes,
      persistenceId: null,
      get: () => Object.entries(prefixes).map(([prefix, iri]) => `${prefix}: <${iri}>`),
      onInitialize: (yasqe) => {
        yasqe.on("changes", () => declare(yasqe, prefixes));
        declare(yasqe, prefixes);
      },
    },
    terms("property", properties, isProperty),
    terms("class", classes, isClass),
    terms("concept", concepts, (yasqe) => {
      const { string } = begun(yasqe);
      return /^[A-Za-z][\w-]*:|^</.test(string) && !isProperty(yasqe) && !isClass(yasqe);
    }),
  ];
}

// The word before the cursor, and where it begins. Yasgui's own token of "author" is "uthor": it
// takes the first letter for the keyword.
function begun(yasqe) {
  const { line, ch } = yasqe.getDoc().getCursor();
  const [string] = /<?[^\s<>{}()[\];,"]*$/.exec(yasqe.getDoc().getLine(line).slice(0, ch));
  return { string, from: { ch: ch - string.length } };
}

function expanded(text, prefixes) {
  if (text.startsWith("<")) return text.slice(1).replace(/>$/, "");
  const colon = text.indexOf(":");
  const namespace = colon < 0 ? undefined : prefixes[text.slice(0, colon)];
  return namespace === undefined ? text : namespace + text.slice(colon + 1);
}

function compressed(iri, prefixes) {
  const fitting = Object.entries(prefixes).filter(([, namespace]) => iri.startsWith(namespace));
  fitting.sort(([, one], [, other]) => other.length - one.length);
  for (const [prefix, namespace] of fitting) {
    const local = iri.slice(namespace.length);
    if (/^\w([\w.-]*[\w-])?$/.test(local)) return `${prefix}:${local}`;
  }
  return `<${iri}>`;
}

function matching(terms, { string, autocompletionString }) {
  if (!autocompletionString) return [];
  if (/^<|:/.test(string)) {
    return terms.map(({ iri }) => iri).filter((iri) => iri.startsWith(autocompletionString));
  }
  const part = autocompletionString.toLowerCase();
  const has = ({ iri, label }) =>
    iri.replace(/^.*[#/]/, "").toLowerCase().includes(part) || label.toLowerCase().includes(part);
  return terms.filter(has).map(({ iri }) => iri);
}

function described(hint, prefixes, labels) {
  const label = labels.get(expanded(hint.text, prefixes));
  return label ? { ...hint, displayText: `${hint.text}   ${label}` } : hint;
}
