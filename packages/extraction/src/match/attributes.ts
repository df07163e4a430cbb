import { AttributeAction, type Selector, SelectorType } from 'css-what';
import { foldCase } from '../css/code-points.ts';
import type { AttributeOperator, AttributeSelector } from '../css/selector.ts';
import { Namespace } from '../dom/node.ts';
import { attributeIn } from './adapter.ts';
import type { MatchRun, Test } from './run.ts';

/** Comparison of the value of an attribute. */
export interface Comparison {
  readonly name: string;
  readonly operator: AttributeOperator | null;
  readonly value: string;
  readonly ignoresCase: boolean;
}

/** Returns the token for `[name]` and its comparisons. */
export function tokenOfAttribute(selector: AttributeSelector, run: MatchRun): Selector {
  const { name, exactName, operator, value, ignoresCase, isAnyNamespace } = selector;
  if (isAnyNamespace) {
    const test = run.compile([tokenOfAttribute({ ...selector, isAnyNamespace: false }, run)]);
    // css-select reads one value for a name; here several attributes may have it.
    return run.tokenFor((element) =>
      element.attributes.some((attribute) =>
        test({ ...element, attributes: [{ name: attribute.name, value: attribute.value }] }),
      ),
    );
  }
  const { isXml } = run.document;
  const comparison = { name: isXml ? exactName : name, operator, value };
  const exact = tokenOf({ ...comparison, ignoresCase }, run);
  if (isXml || operator === null || ignoresCase || !CASELESS_IN_HTML.has(name)) return exact;
  const [inHtml, elsewhere] = [
    run.compile([tokenOf({ ...comparison, ignoresCase: true }, run)]),
    run.compile([exact]),
  ];
  return run.tokenFor((element) =>
    element.namespace === Namespace.html ? inHtml(element) : elsewhere(element),
  );
}

/** Returns the token of a comparison; names are those of the document. */
export function tokenOf({ name, operator, value, ignoresCase }: Comparison, run: MatchRun): Selector {
  const wanted = ignoresCase ? foldCase(value) : value;
  if (operator === '~=') return run.tokenFor(hasWordIn({ name, word: wanted, ignoresCase }, run));
  const token: Selector = {
    type: SelectorType.Attribute,
    name,
    action: operator === null ? AttributeAction.Exists : ACTIONS[operator],
    value: wanted,
    ignoreCase: false,
    namespace: null,
  };
  return ignoresCase ? run.tokenFor(run.compile([token], { ignoresCase })) : token;
}

const ACTIONS: Readonly<Record<Exclude<AttributeOperator, '~='>, AttributeAction>> = {
  '=': AttributeAction.Equals,
  '|=': AttributeAction.Hyphen,
  '^=': AttributeAction.Start,
  '$=': AttributeAction.End,
  '*=': AttributeAction.Any,
};

/**
 * Tests words of a list. css-select separates them by all white space of JavaScript, such as no-break spaces, and finds an
 * empty word.
 */
function hasWordIn(
  {
    name,
    word,
    ignoresCase,
  }: { readonly name: string; readonly word: string; readonly ignoresCase: boolean },
  { document, budget }: MatchRun,
): Test {
  if (word === '' || /[ \t\n\f\r]/.test(word)) return () => false;
  return (element) => {
    const words = attributeIn(element, name, document);
    if (words === undefined || words.length < word.length) return false;
    budget.spendReading(words.length);
    return hasWord(ignoresCase ? foldCase(words) : words, word);
  };
}

function hasWord(words: string, word: string): boolean {
  for (let at = words.indexOf(word); at >= 0; at = words.indexOf(word, at + 1)) {
    if (isBoundary(words, at - 1) && isBoundary(words, at + word.length)) return true;
  }
  return false;
}

function isBoundary(text: string, at: number): boolean {
  return at < 0 || at >= text.length || WHITE_SPACE.has(text.charCodeAt(at));
}

const WHITE_SPACE = new Set([0x20, 0x09, 0x0a, 0x0c, 0x0d]);

/** Attributes of HTML elements in HTML documents whose values are compared without case. HTML §4.16.2. */
const CASELESS_IN_HTML = new Set(
  `accept accept-charset align alink axis bgcolor charset checked clear codetype color compact declare defer dir
  direction disabled enctype face frame hreflang http-equiv lang language link media method multiple nohref
  noresize noshade nowrap readonly rel rev rules scope scrolling selected shape target text type valign valuetype
  vlink`.split(/\s+/),
);
