/** Reason why a name may change or mean nothing. */
export type NameFlaw = 'generated' | 'numbered' | 'state' | 'utility';

/** Penalty of each flaw, beside that of the kind of token. */
export const FLAW_PENALTIES: Readonly<Record<NameFlaw, number>> = {
  generated: 25,
  numbered: 5,
  state: 7,
  utility: 6,
};

/** Longest name that is used. */
export const MAX_NAME_CHARS = 80;

/** Returns the flaw of a class name or an id, or null for a name that a person gave to a thing. */
export function judgeName(name: string): NameFlaw | null {
  if (isGenerated(name)) return 'generated';
  if (STATES.has(name.toLowerCase()) || /^(?:is|has)[-_]/.test(name)) return 'state';
  if (/(?:^|[-_])(?:odd|even|first|last|active|selected|current)(?:$|[-_])/i.test(name)) return 'state';
  if (isUtility(name)) return 'utility';
  return /\d{3}/.test(name) ? 'numbered' : null;
}

/** Returns the part of a generated name that its author wrote, as in `Card_title__x7Gh2`; undefined without one. */
export function writtenPart(name: string): string | undefined {
  const end = Math.max(name.lastIndexOf('-'), name.lastIndexOf('_'));
  const part = name.slice(0, end + 1);
  if (part.length < 5 || !/^[A-Za-z]/.test(part) || !/^[A-Za-z0-9]{4,12}$/.test(name.slice(end + 1)))
    return undefined;
  return GENERATOR_PREFIX.test(part) || part.split(/[-_]/).some(isHash) ? undefined : part;
}

/** Prefixes of tools that generate names, and of the scopes of frameworks. */
const GENERATOR_PREFIX =
  /^(?:css|sc|jsx|jss|tss|emotion|svelte|astro|styled|glamor|makestyles|_?ng[-_]?(?:tns|content|host|c\d)|_ngcontent|_nghost|data-v|ember|yui|ext-gen|react-aria|radix|headlessui|mui)[-_]?(?=[\w-]*\d|[a-z]*[A-Z]|$)/;

function isGenerated(name: string): boolean {
  if (GENERATOR_PREFIX.test(name) && /[\d]|[a-z][A-Z]|^css-/.test(name)) return true;
  if (/^:r\w*:$/.test(name)) return true;
  // The hash of CSS modules.
  const tail = /(?:__|--)([A-Za-z0-9]{5,8})$/.exec(name)?.[1];
  if (tail !== undefined && /\d/.test(tail)) return true;
  return name.split(/[-_:.]+/).some(isHash);
}

/** Returns true for a part of a name that no person writes: letters and digits mixed, or letters that form no words. */
function isHash(part: string): boolean {
  if (part.length < 4 || /[^A-Za-z0-9]/.test(part)) return false;
  if (/\d/.test(part) && /[A-Za-z]/.test(part)) return isMixed(part);
  if (/^\d+$/.test(part)) return false;
  if (/[a-z][A-Z]/.test(part) && part.length <= 8) return isJumbled(part);
  return /^[bcdfghjklmnpqrstvwxz]{6,}$/i.test(part) || /[bcdfghjklmnpqrstvwxz]{7}/i.test(part);
}

/** Returns true if letters and digits alternate, unlike in `mp4`, `utf8`, `2col` and `b64encode`. */
function isMixed(part: string): boolean {
  const runs = part.match(/\d+/g) ?? [];
  const digits = runs.join('').length;
  if (part.length >= 6 && digits >= 2 && /^(?:[0-9a-f]+|[0-9A-F]+)$/.test(part)) return true;
  const isInside = /^[A-Za-z]+\d+[A-Za-z]+$/.test(part);
  if (isInside) return part.length >= 5 && part.length <= 7;
  return part.length >= 5 && runs.length > 1 && (runs.length > 2 || part.length <= 12);
}

/** Returns true for letters whose case changes too often for words, such as `bdVaJa`. */
function isJumbled(part: string): boolean {
  const words = part.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  return words.length > 1 && part.length / words.length < 2.5;
}

const STATES = new Set(
  `active current selected open opened closed expanded collapsed hover focus focused disabled enabled visible hidden show shown hide
  in out first last odd even loading loaded lazy lazyload lazyloaded lazyloading checked sticky fixed animated visited new
  alternate alt clickable touched dirty pristine valid invalid`.split(/\s+/),
);

const UTILITY_WORDS = new Set(
  `flex grid block inline inline-block inline-flex table relative absolute static fixed container container-fluid wrapper row col column
  columns clearfix clear cf group left right center pull-left pull-right float-left float-right text-center text-left text-right
  hidden-xs visible-xs sr-only visually-hidden screen-reader-text uppercase lowercase capitalize truncate italic bold underline
  rounded shadow border transition cursor-pointer mx-auto w-full h-full antialiased img-fluid img-responsive img-thumbnail
  list-unstyled list-inline no-underline unstyled small large medium`.split(/\s+/),
);

const UTILITY_SHAPE =
  /^-?(?:[mp][trblxyse]?|w|h|gap|gap-[xy]|top|left|right|bottom|inset|z|space-[xy]|text|bg|border|rounded|shadow|font|leading|tracking|flex|grid|grid-cols|col|col-span|row|items|justify|content|self|order|opacity|overflow|min-[wh]|max-[wh]|d|float|align|fs|fw|lh|offset|large|medium|small|ring|divide|duration|ease|line-clamp|aspect|object|whitespace|break|size|scale|translate-[xy]|rotate|basis|grow|shrink|hover|focus|sm|md|lg|xl|xs|xxl)-(?:-?\d[\w.-]*|xs|sm|md|lg|xl|\dxl|auto|full|screen|center|left|right|start|end|between|around|none|hidden|top|bottom|bold|medium|semibold|normal|light|white|black|gray|transparent|row|col|column|wrap|nowrap|flex|block|inline|grid|cover|contain|baseline|stretch|initial|(?:sm|md|lg|xl|xs)-.*|(?:gray|red|blue|green|yellow|slate|zinc|neutral|indigo|primary|secondary|muted)[\w-]*)$/;

/** Returns true for a class that describes a look instead of a thing. */
function isUtility(name: string): boolean {
  return /[:[\]/!@%]/.test(name) || UTILITY_WORDS.has(name.toLowerCase()) || UTILITY_SHAPE.test(name);
}
