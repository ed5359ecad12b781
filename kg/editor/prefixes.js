// Declarations of the prefixes that a query uses. This server knows the project's prefixes, others do
// not: a query that is taken elsewhere should say what it means.

const UNDECLARED = /^Prefix '(.*)' is not defined$/; // the words of Yasgui's tokenizer

export function declare(yasqe, prefixes) {
  for (let prefix = undeclared(yasqe); prefix in prefixes; prefix = undeclared(yasqe)) {
    yasqe.addPrefixes({ [prefix]: prefixes[prefix] });
  }
}

// The first prefix that is used and not declared; undefined where there is none.
function undeclared(yasqe) {
  const doc = yasqe.getDoc();
  for (let line = 0; line < doc.lineCount(); line++) {
    const { state } = yasqe.getTokenAt({ line, ch: doc.getLine(line).length }, true);
    if (state.OK === false) return UNDECLARED.exec(state.errorMsg ?? "")?.[1];
  }
  return undefined;
}
