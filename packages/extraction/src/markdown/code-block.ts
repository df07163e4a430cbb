import type { Budget } from '../budget.ts';
import { attributeOf, isHtmlElement, type Node, NodeKind, nextAfter, nextInside } from '../dom/node.ts';
import { isHtmlBlock } from '../dom/word-borders.ts';
import { isUnseen } from '../read/text-of.ts';
import { freeFenceLength } from './link-markup.ts';

/** Returns the lines of a fenced code block for a `pre`; none if it holds only white space. */
export function codeBlock(pre: Node, budget: Budget): string[] {
  const code = preformattedText(pre, budget);
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
    const isSkipped = isUnseen(node) || isHtmlElement(node, 'noscript');
    if (node.kind === NodeKind.text) add(node.value.replace(/\r\n?/g, '\n'));
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

const LANGUAGE =
  /(?:^|\s)(?:language|lang|highlight-source|highlight|brush:)-?\s?(\p{L}[\p{L}\w+#.-]{0,30})(?=\s|;|$)/u;
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

/** Returns the language that a class of the `pre`, of its `code` or of an element just around it names, or ''. */
function languageOf(pre: Node): string {
  const around = [pre.parent, pre.parent?.parent];
  const inner =
    pre.first?.kind === NodeKind.text && pre.first.value.trim() === '' ? pre.first.next : pre.first;
  for (const node of [inner, pre, ...around]) {
    if (!node || node.kind !== NodeKind.element) continue;
    const name = LANGUAGE.exec((attributeOf(node, 'class') ?? '').slice(0, 200))?.[1]?.toLowerCase();
    if (name !== undefined) return NO_LANGUAGE.has(name) ? '' : (OTHER_NAMES.get(name) ?? name);
  }
  return '';
}
