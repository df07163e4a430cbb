/** Names of values by the tag that holds them, where the page gives none. */
const TAG_NAMES: Readonly<Record<string, string>> = {
  ...{ h1: 'title', h2: 'title', h3: 'title', h4: 'title', th: 'title', dt: 'title' },
  ...{ a: 'link', img: 'image', time: 'date', p: 'text', dd: 'description', td: 'cell' },
};

const SUFFIXES: Readonly<Record<string, string>> = { 'attr(href)': 'Url', 'attr(src)': 'Image' };

/** Returns a name for a value from its selector, such as `price` for `p.price > data`, which no other value has. */
export function nameFor(
  { selector, take }: { readonly selector: string; readonly take: string },
  taken: readonly string[],
): string {
  const named = [...selector.matchAll(/[.#]([a-z][\w-]*)|="?([a-z][\w-]*)/gi)].at(-1);
  const lastPart = selector.split(/[\s>+~]/).at(-1) ?? '';
  const [tag = ''] = lastPart.toLowerCase().match(/^[a-z][a-z0-9]*/) ?? [];
  const word = named?.[1] ?? named?.[2];
  const base = word ? toCamelCase(word) : (TAG_NAMES[tag] ?? 'value');
  const suffix = SUFFIXES[take] ?? '';
  const name = base.toLowerCase().endsWith(suffix.toLowerCase()) ? base : base + suffix;
  return distinct(name, taken);
}

function toCamelCase(word: string): string {
  const [first = '', ...others] = word.split(/[-_]/).filter(Boolean);
  return first + others.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
}

function distinct(name: string, taken: readonly string[]): string {
  let distinctName = name;
  for (let count = 2; taken.includes(distinctName); count += 1) distinctName = `${name}${count}`;
  return distinctName;
}
