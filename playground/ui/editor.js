// A field for Python: a text area over a coloured copy of its text. Asks no other host for anything.
//
// Tab indents and Shift+Tab takes back; Escape and then Tab leaves the field, so that the keyboard
// is not trapped. Enter keeps the indentation. Ctrl+Enter (or leaving the field) sends the code.

const INDENT = "    ";
const WORDS =
  "False None True and as assert async await break case class continue def del elif else except " +
  "finally for from global if import in is lambda match nonlocal not or pass raise return try " +
  "while with yield";
const KEYWORDS = new Set(WORDS.split(" "));
const TOKENS = new RegExp(
  [
    "(?<comment>#[^\\n]*)",
    "(?<text>[rbfuRBFU]{0,2}(?:\"\"\"[\\s\\S]*?(?:\"\"\"|$)|'''[\\s\\S]*?(?:'''|$)" +
      "|\"(?:\\\\.|[^\"\\\\\\n])*\"?|'(?:\\\\.|[^'\\\\\\n])*'?))",
    "(?<number>\\b(?:0[xXbBoO][\\da-fA-F_]+|\\d[\\d_]*\\.?[\\d_]*(?:[eE][+-]?\\d+)?j?))",
    "(?<decorator>^[ \\t]*@[\\w.]+)",
    "(?<word>[^\\W\\d]\\w*)",
  ].join("|"),
  "gmu",
);

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function coloured(code) {
  let html = "";
  let end = 0;
  let before = "";
  for (const found of code.matchAll(TOKENS)) {
    html += escaped(code.slice(end, found.index));
    end = found.index + found[0].length;
    let kind = Object.keys(found.groups).find((name) => found.groups[name] !== undefined);
    if (kind === "word") {
      if (KEYWORDS.has(found[0])) kind = "keyword";
      else if (before === "def" || before === "class") kind = "name";
      before = found[0];
    }
    html += `<span class="${kind}">${escaped(found[0])}</span>`;
  }
  return `${html}${escaped(code.slice(end))}\n`;
}

function insert(area, text) {
  // The old command keeps the browser's own undo; the newer call is for where it is gone.
  if (!document.execCommand("insertText", false, text)) {
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input"));
  }
}

function shift(area, isBack) {
  const start = area.value.lastIndexOf("\n", area.selectionStart - 1) + 1;
  if (!isBack && area.selectionStart === area.selectionEnd) {
    const column = area.selectionStart - start;
    insert(area, INDENT.slice(column % INDENT.length));
    return;
  }
  const following = area.value.indexOf("\n", Math.max(area.selectionEnd - 1, start));
  const end = following < 0 ? area.value.length : following;
  const lines = area.value.slice(start, end).split("\n");
  const moved = lines.map((line) => (isBack ? line.replace(/^ {1,4}/, "") : line && INDENT + line));
  area.setSelectionRange(start, end);
  insert(area, moved.join("\n"));
  if (lines.length > 1) area.setSelectionRange(start, start + moved.join("\n").length);
}

function newLine(area) {
  const start = area.value.lastIndexOf("\n", area.selectionStart - 1) + 1;
  const line = area.value.slice(start, area.selectionStart);
  const deeper = /:\s*(#.*)?$/.test(line) ? INDENT : "";
  insert(area, `\n${line.match(/^[ \t]*/)[0]}${deeper}`);
}

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  const area = parentElement.querySelector("textarea");
  const copy = parentElement.querySelector("pre");
  const numbers = parentElement.querySelector(".numbers");
  const state = (area.state ??= { received: null, pending: [], last: null, isLeaving: false });

  const draw = () => {
    const count = area.value.split("\n").length;
    copy.innerHTML = coloured(area.value);
    numbers.textContent = Array.from({ length: count }, (_, i) => i + 1).join("\n");
    area.style.height = `${Math.min(Math.max(count, 9), 28) * 1.5 + 1.4}em`;
    copy.scrollTop = numbers.scrollTop = area.scrollTop;
    copy.scrollLeft = area.scrollLeft;
  };
  const send = () => {
    if (area.value !== state.last) {
      state.last = area.value;
      state.pending.push(area.value);
      setStateValue("code", area.value);
    }
  };

  area.setAttribute("aria-label", data.label);
  parentElement.querySelector(".hint").textContent = data.hint;
  // The app echoes what was sent; anything else it says counts: another example, a link.
  const echo = state.pending.indexOf(data.code);
  if (echo >= 0) state.pending.splice(0, echo + 1);
  else if (data.code !== state.received) area.value = state.last = data.code;
  state.received = data.code;
  draw();

  area.oninput = draw;
  area.onscroll = draw;
  area.onblur = () => {
    state.isLeaving = false;
    send();
  };
  area.onkeydown = (event) => {
    const isLeaving = state.isLeaving;
    if (event.key !== "Shift") state.isLeaving = event.key === "Escape";
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (event.key === "Tab" && !isLeaving && !event.ctrlKey && !event.altKey) {
      event.preventDefault();
      shift(area, event.shiftKey);
    } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      newLine(area);
    }
    event.stopPropagation(); // the app's own shortcuts (r, c) are not meant here
  };
}
