import { AttributeAction, type Selector, SelectorType } from 'css-what';
import { foldCase } from '../css/code-points.ts';
import type {
  AttributeOperator,
  AttributeSelector,
  ComplexSelector,
  CompoundSelector,
  RelativeSelector,
  SelectorList,
  SimpleSelector,
} from '../css/selector.ts';
import { Namespace, type Node } from '../dom/node.ts';
import { bindDir, bindLang } from './language.ts';
import { bindNth, bindOnly } from './positions.ts';
import { isTransitive, precede, reachedFrom } from './relations.ts';
import { attributeIn, createSet, type ElementSet, lazily, type MatchRun, type Test } from './run.ts';
import { bindState } from './states.ts';
import { compoundUsesScope, countConditions, usesScope } from './uses-scope.ts';

/** Most conditions of a selector: css-select calls one from the other, and the stack holds some thousands of calls. */
const MAX_CONDITIONS = 1000;

/** Compiles a list with css-select for the document of the run. */
export function compileList(list: SelectorList, run: MatchRun): Test {
  // What no stack can hold is more than any budget.
  if (list.some((complex) => countConditions(complex) > MAX_CONDITIONS))
    run.budget.spend(Number.MAX_SAFE_INTEGER);
  const [first, ...others] = list.map((complex) => run.compile(tokensOf(complex, run)));
  if (first === undefined) return () => false;
  if (others.length === 0) return first;
  return (element) =>
    first(element) ||
    others.some((test) => {
      run.budget.spend(1);
      return test(element);
    });
}

/**
 * Returns the tokens of a selector. What stands before a descendant or later sibling becomes a condition that remembers its
 * answers: css-select would try every combination of ancestors and siblings.
 */
function tokensOf({ compounds, combinators }: ComplexSelector, run: MatchRun): Selector[] {
  let tokens: Selector[] = [];
  let dependsOnScope = false;
  for (const [index, compound] of compounds.entries()) {
    const combinator = combinators[index - 1];
    if (combinator !== undefined && isTransitive(combinator)) {
      const left = { matches: run.compile(tokens), combinator, dependsOnScope };
      tokens = [run.tokenFor(reachedFrom(left, run))];
    } else if (combinator !== undefined) {
      tokens.push({ type: combinator === '>' ? SelectorType.Child : SelectorType.Adjacent });
    }
    dependsOnScope ||= compoundUsesScope(compound);
    tokens.push(...tokensOfCompound(compound, run));
  }
  return tokens;
}

/** Returns the tokens of a compound; of equally cheap ones, css-select tests the last one first. */
function tokensOfCompound(compound: CompoundSelector, run: MatchRun): Selector[] {
  return compound.map((simple) => tokenOf(simple, run)).reverse();
}

type Tokens = {
  readonly [Kind in SimpleSelector['kind']]: (
    simple: Extract<SimpleSelector, { kind: Kind }>,
    run: MatchRun,
  ) => Selector;
};

const TOKENS: Tokens = {
  universal: () => ({ type: SelectorType.Universal, namespace: null }),
  never: () => ({ type: SelectorType.Pseudo, name: 'is', data: [] }),
  unnamespaced: (_simple, run) => run.tokenFor(({ namespace }) => namespace === ''),
  type: ({ name, exactName }, { document: { isXml } }) => ({
    type: SelectorType.Tag,
    name: isXml ? exactName : name,
    namespace: null,
  }),
  id: ({ value }, run) =>
    tokenOfComparison({ name: 'id', operator: '=', value, ignoresCase: run.document.isQuirks }, run),
  class: ({ value }, run) =>
    tokenOfComparison({ name: 'class', operator: '~=', value, ignoresCase: run.document.isQuirks }, run),
  attribute: tokenOfAttribute,
  state: ({ name }, run) => run.tokenFor(bindState(name, run)),
  lang: ({ value }, run) => run.tokenFor(bindLang(value, run)),
  dir: ({ value }, run) => run.tokenFor(bindDir(value, run)),
  nth: (nth, run) => run.tokenFor(bindNth(nth, nth.of && bindSet(nth.of, run), run)),
  only: (only, run) => run.tokenFor(bindOnly(only, run)),
  scope: (_simple, run) => run.tokenFor(({ order }) => order === run.scope),
  is: ({ list }, run) => ({
    type: SelectorType.Pseudo,
    name: 'is',
    data: list.map((complex) => tokensOf(complex, run)),
  }),
  not: ({ list }, run) => ({
    type: SelectorType.Pseudo,
    name: 'not',
    data: list.map((complex) => tokensOf(complex, run)),
  }),
  has({ list }, run) {
    const set = lazily(run, usesScope(list), bindAnchors(list, run));
    return run.tokenFor(({ order }) => set()[order] === 1);
  },
};

function tokenOf(simple: SimpleSelector, run: MatchRun): Selector {
  // The table is keyed by kind, which TypeScript cannot check here.
  const convert = TOKENS[simple.kind] as (simple: SimpleSelector, run: MatchRun) => Selector;
  return convert(simple, run);
}

function bindSet(list: SelectorList, run: MatchRun) {
  const matches = compileList(list, run);
  const dependsOnScope = usesScope(list);
  return { set: lazily(run, dependsOnScope, () => setOf(matches, null, run)), dependsOnScope };
}

/** Returns the matching elements; only candidates if `candidates` is given. */
function setOf(matches: Test, candidates: ElementSet | null, run: MatchRun): ElementSet {
  const set = createSet(run);
  run.budget.spend(set.length);
  for (let order = 0; order < set.length; order++) {
    if (candidates !== null && candidates[order] === 0) continue;
    if (matches(run.document.elements[order] as Node)) set[order] = 1;
  }
  return set;
}

/**
 * Compiles the argument of `:has()`; returns a function that computes the elements with a match: each
 * compound, from the last to the first, among the elements related to the next one. css-select would search
 * the inside of every element.
 */
function bindAnchors(list: readonly RelativeSelector[], run: MatchRun): () => ElementSet {
  const bound = list.map(({ compounds, ...relative }) => ({
    ...relative,
    tests: compounds.map((compound) => run.compile(tokensOfCompound(compound, run))),
  }));
  return () => {
    const union = createSet(run);
    for (const { tests, combinators, anchor } of bound) {
      let reach: ElementSet | null = null;
      for (let index = tests.length - 1; index >= 0; index--) {
        const matched = setOf(tests[index] as Test, reach, run);
        reach = precede(matched, combinators[index - 1] ?? anchor, run);
      }
      for (let order = 0; order < union.length; order++) if (reach?.[order]) union[order] = 1;
    }
    return union;
  };
}

interface Comparison {
  readonly name: string;
  readonly operator: AttributeOperator | null;
  readonly value: string;
  readonly ignoresCase: boolean;
}

/** Returns the token for `[name]` and its comparisons. */
function tokenOfAttribute(selector: AttributeSelector, run: MatchRun): Selector {
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
  const exact = tokenOfComparison({ ...comparison, ignoresCase }, run);
  if (isXml || operator === null || ignoresCase || !CASELESS_IN_HTML.has(name)) return exact;
  const [inHtml, elsewhere] = [
    run.compile([tokenOfComparison({ ...comparison, ignoresCase: true }, run)]),
    run.compile([exact]),
  ];
  return run.tokenFor((element) =>
    element.namespace === Namespace.html ? inHtml(element) : elsewhere(element),
  );
}

function tokenOfComparison({ name, operator, value, ignoresCase }: Comparison, run: MatchRun): Selector {
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
