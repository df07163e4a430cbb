import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind, nextAfter, nextInside } from '../dom/node.ts';
import { isHtmlBlock } from '../dom/word-borders.ts';
import { isUnseen } from '../read/text-of.ts';
import { freeFenceLength } from './link-markup.ts';

/** Returns the lines of a fenced code block for a `pre`; none if it holds only white space. */
export function codeBlock(pre: Node, budget: Budget): string[] {
  const isNumbers = [pre, pre.parent, pre.parent?.parent].some((node) => node && isLineNumbers(node));
  const code = isNumbers ? '' : preformattedText(pre, budget);
  if (!/\S/.test(code)) return [];
  const fence = '`'.repeat(freeFenceLength(code, 3));
  return [`${fence}${languageOf(pre)}`, ...code.split('\n'), fence];
}

/** Returns the text of a `pre` with its white space, without the line break at its end. */
export function preformattedText(pre: Node, budget: Budget): string {
  const pieces: string[] = [];
  let isLineStart = true;
  const add = (text: string): void => {
    if (text === '') return;
    pieces.push(text);
    isLineStart = text.endsWith('\n');
  };
  for (let node: Node | null = pre.first; node !== null; ) {
    budget.spendReading(node.value.length);
    const isSkipped = isNoCode(node);
    if (isSkipped) budget.spend(1);
    else if (node.kind === NodeKind.text) add(node.value.replace(/\r\n?/g, '\n'));
    else if (isHtmlElement(node, 'br')) add('\n');
    else if (isHtmlBlock(node) && !isLineStart) add('\n');
    const next: Node | null = isSkipped ? nextAfter(pre, node) : nextInside(pre, node);
    if (endsBlock(node, next) && !isLineStart) add('\n');
    node = next;
  }
  const text = pieces.join('');
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

/** Returns true if a block ends between the nodes. */
function endsBlock(node: Node, next: Node | null): boolean {
  return (
    next !== null && node.first === null && next.parent !== node.parent && isHtmlBlock(node.parent as Node)
  );
}

/** Returns true for what stands in a `pre` beside its code: scripts, buttons and the numbers of lines. */
function isNoCode(node: Node): boolean {
  if (isUnseen(node) || isHtmlElement(node, 'noscript') || isHtmlElement(node, 'button')) return true;
  if (node.kind !== NodeKind.element || node.attributes.length === 0) return false;
  return attributeOf(node, 'role') === 'button' || node.name === 'clipboard-copy' || isLineNumbers(node);
}

const LINE_NUMBERS =
  /(?:^|\s)(?:line-?nos?|line-?num(?:ber)?s?|linenodiv|lnt?|gutter|rouge-gutter|hljs-ln-numbers|line-numbers-rows|blob-num|code-line-numbers?)(?=\s|$)/i;
const MAX_NUMBER_NODES = 4096;

/** Returns true for an element that is named after the numbers of lines, or in a cell that is, and holds only numbers. */
function isLineNumbers(element: Node): boolean {
  if (!isNamedAfterNumbers(element)) return false;
  let count = 0;
  for (let node = nextInside(element, element); node !== null; node = nextInside(element, node)) {
    if (++count > MAX_NUMBER_NODES) return false;
    if (node.kind === NodeKind.text && !/^[\d\s|]*$/.test(node.value)) return false;
  }
  return true;
}

function isNamedAfterNumbers({ attributes }: Node): boolean {
  const classes = attributes.find(({ name }) => name === 'class')?.value;
  return classes !== undefined && LINE_NUMBERS.test(classes.slice(0, MAX_CLASS_CHARS));
}

const MAX_CLASS_CHARS = 200;

/** Classes that name a language on a `pre` or its `code`; `highlight-` and elements around name other things too. */
const LANGUAGE = /^(?:language|lang)-(.+)$/i;
const KNOWN_LANGUAGE =
  /^(?:language-|lang-|highlight-source-|highlight-text-|highlight-|sourcecode-|brush:)?(.+)$/i;

/** Languages that a bare class names, as in "highlight python"; written as highlighters do. */
const KNOWN = new Set(
  `apache asm bash batch c c++ clojure cmake console cpp cs csharp css cxx c# d dart diff dockerfile elixir elm erlang fish
  fortran fsharp go golang gradle graphql groovy haskell html html5 http ini ipython ipython2 ipython3 java javascript js json
  json5 jsonc jsx julia kotlin latex less lisp lua makefile markdown matlab md nginx nix node nodejs objc objectivec ocaml pascal
  perl php postgresql powershell prolog proto protobuf ps1 pycon py python python2 python3 py2 py3 r rb rst ruby rust rs sass
  scala scheme scss sh shell shell-session sh-session sql sqlite svg swift tcl terraform tex toml ts tsx typescript vb vim vue
  wasm xhtml xml yaml yml zig zsh`.split(/\s+/),
);

const NO_LANGUAGE = new Set([
  'default',
  'none',
  'plain',
  'plaintext',
  'text',
  'txt',
  'nohighlight',
  'no-highlight',
  'notranslate',
]);

/** Names of languages that highlighters write in other ways. */
const OTHER_NAMES = new Map(
  Object.entries({
    python: ['python2', 'python3', 'py2', 'py3', 'ipython', 'ipython2', 'ipython3'],
    javascript: ['node', 'nodejs', 'ecmascript', 'javascript1.6'],
    cpp: ['c++', 'cxx'],
    csharp: ['c#'],
    go: ['golang'],
    yaml: ['yml'],
    html: ['htm', 'xhtml', 'html5'],
    console: ['shell-session', 'shellsession', 'sh-session'],
  }).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
);

/** Returns the language that the `pre`, its `code` or an element just around it names, or ''. */
function languageOf(pre: Node): string {
  const first = firstIn(pre);
  const second = first !== null && isHtmlElement(first, 'pre') ? firstIn(first) : null;
  const own = [second, first, pre].filter((node) => node?.kind === NodeKind.element) as Node[];
  const around = [pre.parent, pre.parent?.parent].filter((node) => node?.kind === NodeKind.element) as Node[];
  for (const node of [...own, ...around]) {
    const name = languageIn(classesOf(node), own.includes(node));
    if (name !== undefined) return NO_LANGUAGE.has(name) ? '' : (OTHER_NAMES.get(name) ?? name);
  }
  return '';
}

function firstIn({ first }: Node): Node | null {
  return first?.kind === NodeKind.text && first.value.trim() === '' ? first.next : first;
}

function classesOf(element: Node): readonly string[] {
  const classes = (attributeOf(element, 'class') ?? '').slice(0, MAX_CLASS_CHARS).toLowerCase();
  return classes.replace(/brush:\s*/g, 'brush:').split(/[\s;]+/);
}

const NAME = /^\p{L}[\p{L}\w+#.-]{0,30}$/u;

function languageIn(classes: readonly string[], isOwn: boolean): string | undefined {
  for (const word of isOwn ? classes : []) {
    const name = LANGUAGE.exec(word)?.[1];
    if (name !== undefined && NAME.test(name)) return name;
  }
  for (const word of classes) {
    const name = KNOWN_LANGUAGE.exec(word)?.[1];
    const isPrefixed = name !== undefined && name !== word;
    if (name === undefined || !(KNOWN.has(name) || (isPrefixed && NO_LANGUAGE.has(name)))) continue;
    if (isPrefixed || isOwn || classes.includes('highlight')) return name;
  }
  return undefined;
}
