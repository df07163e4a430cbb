/** Rule for a start tag inside the body; HTML §13.2.6.4.7. */
export const StartRule = {
  generic: 0,
  block: 1,
  heading: 2,
  preformatted: 3,
  form: 4,
  item: 5,
  button: 6,
  link: 7,
  format: 8,
  table: 9,
  /** Has no content, and continues formatting. */
  leaf: 10,
  /** Has no content, and does not continue formatting. */
  quietLeaf: 11,
  rule: 12,
  /** Content without markup or references. */
  raw: 13,
  /** Content without markup. */
  title: 14,
  textArea: 15,
  select: 16,
  option: 17,
  svg: 18,
  caption: 19,
  columns: 20,
  column: 21,
  rows: 22,
  row: 23,
  cell: 24,
  html: 25,
  head: 26,
  body: 27,
  noscript: 28,
  /** Left to the whole parser. */
  unusual: 29,
} as const;
export type StartRule = (typeof StartRule)[keyof typeof StartRule];

/** Facts about an element on the stack of open elements, as bits. */
export const Trait = {
  special: 1,
  /** Bounds every scope. */
  scope: 2,
  buttonScope: 4,
  listScope: 8,
  /** Special elements other than `address`, `div` and `p`. */
  itemBoundary: 16,
  formatting: 32,
  /** Bounds the list of active formatting elements. */
  marker: 64,
  heading: 128,
  /** May stand in SVG without ending it. */
  inSvg: 256,
  /** Belongs in the head. */
  ofHead: 512,
  /** Holds HTML where it stands in SVG. */
  integration: 1024,
  tableScope: 2048,
} as const;

/** Rule and traits of the elements of a name. */
export interface TagRule {
  readonly start: StartRule;
  readonly traits: number;
}

const { special, itemBoundary } = Trait;
const SPECIAL = special | itemBoundary;
const SCOPE = Trait.scope | Trait.buttonScope | Trait.listScope;

/** Rule of each name that has one. Other names are `UNKNOWN_TAG`. */
const RULES: readonly (readonly [names: string, start: StartRule, traits: number])[] = [
  [
    'article aside blockquote center details dir dl fieldset figcaption figure footer',
    StartRule.block,
    SPECIAL,
  ],
  ['header hgroup main menu nav section summary', StartRule.block, SPECIAL],
  ['dialog search', StartRule.block, 0],
  ['ol ul', StartRule.block, SPECIAL | Trait.listScope],
  ['address div p', StartRule.block, special],
  ['h1 h2 h3 h4 h5 h6', StartRule.heading, SPECIAL | Trait.heading],
  ['pre', StartRule.preformatted, SPECIAL],
  ['form', StartRule.form, SPECIAL],
  ['li dd dt', StartRule.item, SPECIAL],
  ['button', StartRule.button, SPECIAL | Trait.buttonScope],
  ['a', StartRule.link, Trait.formatting | Trait.inSvg],
  ['b big code em font i s small strike strong tt u', StartRule.format, Trait.formatting],
  ['table', StartRule.table, SPECIAL | SCOPE | Trait.tableScope],
  ['area br embed img input wbr', StartRule.leaf, SPECIAL],
  ['param source track', StartRule.quietLeaf, SPECIAL],
  ['base basefont bgsound link meta', StartRule.quietLeaf, SPECIAL | Trait.ofHead],
  ['hr', StartRule.rule, SPECIAL],
  ['iframe noembed', StartRule.raw, SPECIAL],
  ['noframes', StartRule.raw, SPECIAL | Trait.ofHead],
  ['script style', StartRule.raw, SPECIAL | Trait.ofHead | Trait.inSvg],
  ['title', StartRule.title, SPECIAL | Trait.ofHead | Trait.inSvg | Trait.integration],
  ['desc', StartRule.generic, Trait.inSvg | Trait.integration],
  ['textarea', StartRule.textArea, SPECIAL],
  ['select', StartRule.select, SPECIAL],
  ['option optgroup', StartRule.option, 0],
  ['svg', StartRule.svg, Trait.inSvg],
  ['caption', StartRule.caption, SPECIAL | SCOPE | Trait.marker],
  ['colgroup', StartRule.columns, SPECIAL],
  ['col', StartRule.column, SPECIAL],
  ['tbody tfoot thead', StartRule.rows, SPECIAL],
  ['tr', StartRule.row, SPECIAL],
  ['td th', StartRule.cell, SPECIAL | SCOPE | Trait.marker],
  ['html', StartRule.html, SPECIAL | SCOPE | Trait.tableScope],
  ['head', StartRule.head, SPECIAL],
  ['body', StartRule.body, SPECIAL],
  ['noscript', StartRule.noscript, SPECIAL],
  // They end SVG.
  ['ruby span sub sup var', StartRule.generic, 0],
  ['image', StartRule.unusual, Trait.inSvg],
  ['applet frame frameset keygen listing marquee math nobr object plaintext', StartRule.unusual, SPECIAL],
  ['rb rp rt rtc template xmp foreignobject', StartRule.unusual, SPECIAL],
];

const RULE_OF = new Map<string, TagRule>(
  RULES.flatMap(([names, start, traits]) =>
    names.split(' ').map((name) => [name, { start, traits }] as const),
  ),
);

const UNKNOWN_TAG: TagRule = { start: StartRule.generic, traits: Trait.inSvg };

/** Returns the rule of elements with a name in lower case. */
export function tagRuleOf(name: string): TagRule {
  return RULE_OF.get(name) ?? UNKNOWN_TAG;
}
