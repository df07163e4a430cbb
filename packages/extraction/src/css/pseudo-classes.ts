import type { NthSelector, SimpleSelector } from './selector.ts';

/** Pseudo-classes without an argument that depend on an element's position. */
export const STRUCTURE: ReadonlyMap<string, SimpleSelector> = new Map<string, SimpleSelector>([
  ['scope', { kind: 'scope' }],
  ['first-child', nth('child', false)],
  ['last-child', nth('child', true)],
  ['only-child', { kind: 'only', counts: 'child' }],
  ['first-of-type', nth('type', false)],
  ['last-of-type', nth('type', true)],
  ['only-of-type', { kind: 'only', counts: 'type' }],
]);

function nth(counts: NthSelector['counts'], isFromEnd: boolean): SimpleSelector {
  return { kind: 'nth', step: 0, offset: 1, counts, isFromEnd, of: null };
}

/** The other pseudo-classes without an argument that Chromium 156 accepts; most need a user or a running page. */
const STATES = new Set(
  `root empty link any-link -webkit-any-link checked default disabled enabled required optional read-only
  read-write placeholder-shown indeterminate defined open valid invalid in-range out-of-range
  visited hover active focus focus-visible focus-within target user-valid user-invalid autofill -webkit-autofill
  fullscreen -webkit-full-screen -webkit-full-screen-ancestor modal popover-open picture-in-picture past current
  future host xr-overlay window-inactive horizontal vertical decrement increment start end double-button
  single-button no-button corner-present active-view-transition target-current target-before target-after
  interest-source interest-target -webkit-drag -webkit-full-page-media granted -internal-autofill-previewed
  -internal-autofill-selected -internal-popover-in-top-layer -internal-dialog-in-top-layer
  -internal-relative-anchor`.split(/\s+/),
);

/** Returns true if the name, in lower case, is a pseudo-class without an argument. */
export function isStateName(name: string): boolean {
  return STATES.has(name);
}

/** Returns true for the pseudo-elements that CSS 2 wrote with one colon. */
export function isLegacyPseudoElement(name: string): boolean {
  return name === 'before' || name === 'after' || name === 'first-line' || name === 'first-letter';
}

/** Extensions of jQuery, Scrapy and others to CSS, each with its replacement. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ['contains', 'CSS cannot search text: select by structure or attribute, and check the text of the result'],
  ['eq', 'write :nth-child(n) or :nth-of-type(n), which count from 1'],
  ['nth', 'write :nth-child(n) or :nth-of-type(n), which count from 1'],
  ['gt', 'write :nth-child(n+3) for all from the third on'],
  ['lt', 'write :nth-child(-n+3) for the first three'],
  ['first', 'leave it out (the first match is taken by default), or write :first-child or :first-of-type'],
  ['last', 'write :last-child or :last-of-type'],
  ['even', 'write :nth-child(even)'],
  ['odd', 'write :nth-child(odd)'],
  ['parent', 'write :has(*) or :not(:empty)'],
  ['header', 'write :is(h1, h2, h3, h4, h5, h6)'],
  ['input', 'write :is(input, textarea, select, button)'],
  ['button', 'write :is(button, [type=button])'],
  ['text', 'write ::text with two colons for the text, or [type=text]'],
  ['attr', 'write ::attr(name) with two colons'],
  ['html', 'write ::html with two colons'],
  ['all', 'write ::all with two colons'],
  ['checkbox', 'write [type=checkbox]'],
  ['radio', 'write [type=radio]'],
  ['file', 'write [type=file]'],
  ['image', 'write [type=image]'],
  ['submit', 'write [type=submit]'],
  ['reset', 'write [type=reset]'],
  ['password', 'write [type=password]'],
  ['selected', 'write :checked'],
  ['visible', 'a page that is not rendered has no visible or hidden elements'],
  ['hidden', 'write [hidden]'],
  ['matches', 'write :is(…)'],
  ['any', 'write :is(…)'],
  ['-moz-any', 'write :is(…)'],
]);

/** Explains why a pseudo-class is rejected, and what to write instead if known. */
export function hintForPseudo(name: string): string {
  const hint = HINTS.get(name);
  if (hint) return `:${name} is not CSS: ${hint}.`;
  return `Browsers do not support the pseudo-class :${name} in this form.`;
}
