import type { Budget } from '../budget.ts';
import { type BaseUrl, parseUrl } from '../dom/parse-url.ts';
import { escapeText } from './escape-text.ts';

const LINKED_PROTOCOLS = /^(?!javascript:|data:|vbscript:|blob:|about:)[a-z][a-z0-9+.-]*:/;

/** Returns the absolute URL of a link, or undefined if it leads nowhere outside a browser. */
export function linkUrl(href: string, base: BaseUrl, budget: Budget): string | undefined {
  const url = parseUrl(href, base, budget)?.href;
  return url !== undefined && LINKED_PROTOCOLS.test(url) ? url : undefined;
}

/** Returns the markup after the text of a link: the destination and the title. */
export function linkEnd(url: string, title: string | undefined): string {
  const quoted = title ? ` "${escapeTitle(title)}"` : '';
  return `](${escapeDestination(url)}${quoted})`;
}

const IN_BRACKETS = {
  isInBrackets: true,
  isBeforeBracket: false,
  isInCell: false,
  isFirst: false,
  isLast: true,
};

/** Returns the markup of an image. */
export function imageMarkup({
  alt,
  url,
  title,
}: {
  readonly alt: string;
  readonly url: string;
  readonly title: string | undefined;
}): string {
  return `![${escapeText(alt, IN_BRACKETS)}${linkEnd(url, title)}`;
}

/** Returns a link whose text is its URL in short, or undefined if the text is another one. */
export function autolink(text: string, url: string): string | undefined {
  if (!/^(?:https?:\/\/|mailto:)[^\s<>\\]+$/.test(url)) return undefined;
  const isAddress = url === `mailto:${text}` && /^[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+$/.test(text);
  return text === url || `${text}/` === url || isAddress ? `<${text}>` : undefined;
}

/** Returns code between runs of backticks that are longer than any inside. */
export function codeSpan(code: string): string {
  const fence = '`'.repeat(freeFenceLength(code, 1));
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}

/**
 * Returns TeX between dollars. A dollar inside would end it, an opening angle bracket could start a tag, and a bar would end the
 * cell of a table.
 */
export function formulaMarkup(tex: string, dollars: '$' | '$$'): string {
  const inside = tex
    .replace(/(\\.)|\$/g, (char, escaped?: string) => escaped ?? `\\${char}`)
    .replace(/<(?=[A-Za-z/!?])/g, '< ')
    .replace(/\\\|/g, '\\Vert ')
    .replaceAll('|', '\\vert ');
  return `${dollars}${inside.trim()}${dollars}`;
}

/** Returns the length of the shortest run of backticks, of at least `min`, that the code does not reach. */
export function freeFenceLength(code: string, min: number): number {
  let longest = 0;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return Math.max(min, longest + 1);
}

function escapeDestination(url: string): string {
  return url
    .replace(/[\s<>|]/g, encodeURIComponent)
    .replace(/[\\()]/g, '\\$&')
    .replace(/&(?=#|[A-Za-z][A-Za-z0-9]{1,31};)/g, '&amp;');
}

function escapeTitle(title: string): string {
  return title
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\"]/g, '\\$&')
    .replace(/&(?=#|[A-Za-z][A-Za-z0-9]{1,31};)/g, '&amp;');
}
