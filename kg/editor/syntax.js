// What is wrong with a line, as the title of the mark beside it. Yasgui's own tooltip is markup with
// a style attribute, which the page's policy forbids.

export function explained(Yasqe) {
  const check = Yasqe.prototype.checkSyntax;
  Yasqe.prototype.checkSyntax = function () {
    check.call(this);
    const doc = this.getDoc();
    doc.eachLine((line) => {
      const mark = line.gutterMarkers?.gutterErrorBar;
      if (!mark) return;
      const { state } = this.getTokenAt({ line: doc.getLineNumber(line), ch: line.text.length });
      mark.onmouseover = mark.onmouseout = null;
      mark.title = state.errorMsg ?? `Expected here: ${(state.possibleCurrent ?? []).join(", ")}`;
    });
  };
}
