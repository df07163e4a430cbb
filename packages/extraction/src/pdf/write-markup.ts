import { charactersBySize, HEADING_FACTOR, type PageLine, type Run, textOf } from './page-lines.ts';

/** Properties of a document that its author gave it. */
export interface PdfProperties {
  readonly title: string;
  readonly author: string;
  readonly language: string;
}

/** Writes the lines of all pages as HTML: headings, lists and paragraphs by the size, the beginning and the distance of lines. */
export function writeMarkup(
  pages: readonly (readonly PageLine[])[],
  { title, author, language }: PdfProperties,
): string {
  const levels = levelsOf(pages.flat());
  const body = pages.map((lines) => writePage(lines, levels)).join('\n');
  const named = [
    ...(title ? [`<title>${escaped(title)}</title>`] : []),
    ...(author ? [`<meta name="author" content="${escaped(author)}">`] : []),
  ].join('');
  return `<!DOCTYPE html><html${language ? ` lang="${escaped(language)}"` : ''}><head>${named}</head><body>\n${body}\n</body></html>`;
}

/** Levels of headings by the size of their text. */
type Levels = ReadonlyMap<number, number>;

const MAX_LEVEL = 4;
/** Largest share of the document that text of one size may have as a heading. */
const MAX_HEADING_SHARE = 0.2;

/** Returns heading levels for the sizes above the most common one, the largest first. */
function levelsOf(lines: readonly PageLine[]): Levels {
  const characters = charactersBySize(lines);
  const total = [...characters.values()].reduce((sum, count) => sum + count, 0);
  const [usual = 0] = characters.keys();
  const sizes = [...characters.keys()]
    .filter(
      (size) => size >= usual * HEADING_FACTOR && (characters.get(size) ?? 0) < total * MAX_HEADING_SHARE,
    )
    .sort((one, other) => other - one);
  return new Map(sizes.map((size, index) => [size, Math.min(index + 1, MAX_LEVEL)]));
}

/** Lines that belong together, and the element for them. */
interface Block {
  readonly tag: string;
  readonly lines: PageLine[];
}

function writePage(lines: readonly PageLine[], levels: Levels): string {
  const blocks: Block[] = [];
  for (const line of lines) {
    const tag = tagOf(line, levels);
    const block = blocks.at(-1);
    if (block && continues(block, line, tag)) block.lines.push(line);
    else blocks.push({ tag, lines: [line] });
  }
  return blocks.map(writeBlock).join('\n').replaceAll('</ul>\n<ul>', '\n');
}

const BULLET = /^\s*[•◦▪‣●○■–∗]\s+/;
const MAX_HEADING_LENGTH = 300;

function tagOf({ size, runs }: PageLine, levels: Levels): string {
  const text = textOf(runs);
  const level = levels.get(size);
  if (level !== undefined && text.length <= MAX_HEADING_LENGTH) return `h${level}`;
  return BULLET.test(text) ? 'li' : 'p';
}

/** Largest distance of the baselines of one block, in sizes of its text. */
const MAX_DISTANCE = 1.55;

/** Line of a table of contents, whose number is at the end of dots. */
const CONTENTS = /(?:[.·…]\s{0,3}){3}(?:\d{1,5}|[ivxlc]{1,8})\s*$/i;

/** Returns true for the last line of an entry of a table of contents. */
function isEndOfEntry(text: string, next: string): boolean {
  return CONTENTS.test(text) || (/\d\s*$/.test(text) && CONTENTS.test(next));
}

/** Returns true if a line continues a block: it has its size, and follows it closely. */
function continues({ tag, lines }: Block, line: PageLine, next: string): boolean {
  const last = lines.at(-1);
  if (!last || next === 'li' || isEndOfEntry(textOf(last.runs), textOf(line.runs))) return false;
  const isSame = tag === next || (tag === 'li' && next === 'p' && line.left > (lines[0]?.left ?? 0));
  const distance = last.baseline - line.baseline;
  const size = Math.max(last.size, line.size, 1);
  return (
    isSame && Math.abs(last.size - line.size) <= size / 4 && distance >= 0 && distance <= size * MAX_DISTANCE
  );
}

function writeBlock({ tag, lines }: Block): string {
  const runs = joined(lines);
  if (tag !== 'li') return `<${tag}>${writeRuns(runs)}</${tag}>`;
  return `<ul><li>${writeRuns(afterBullet(runs))}</li></ul>`;
}

/** Returns the text after the bullet, which may be a run of its own. */
function afterBullet(runs: readonly Run[]): readonly Run[] {
  let length = BULLET.exec(textOf(runs))?.[0].length ?? 0;
  return runs.flatMap(({ text, url }) => {
    const rest = text.slice(length);
    length = Math.max(0, length - text.length);
    return rest === '' ? [] : [{ text: rest, url }];
  });
}

/** A word that goes on in the next line. */
const HYPHENATED = /\p{L}[-\u00ad\u2010]$/u;
const LOWER_CASE = /^\p{Ll}/u;

/** Joins lines by spaces, and the halves of words that were divided. */
function joined(lines: readonly PageLine[]): Run[] {
  const all: Run[] = [];
  for (const { runs } of lines) {
    const last = all.at(-1);
    if (last && HYPHENATED.test(last.text) && LOWER_CASE.test(textOf(runs))) {
      all[all.length - 1] = { ...last, text: last.text.slice(0, -1) };
    } else if (last) all.push({ text: ' ', url: undefined });
    all.push(...runs);
  }
  return all;
}

function writeRuns(runs: readonly Run[]): string {
  let markup = '';
  let open: string | undefined;
  for (const { text, url } of runs) {
    if (url !== open) {
      if (open !== undefined) markup += '</a>';
      if (url !== undefined) markup += `<a href="${escaped(url)}">`;
      open = url;
    }
    markup += escaped(text);
  }
  return open === undefined ? markup : `${markup}</a>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll('\0', '').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}
