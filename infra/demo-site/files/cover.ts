import { type Answer, file, type Visit } from '../markup/answer.ts';
import { escapeText } from '../markup/html.ts';
import { BOOKS, type Book } from '../shop/shop.ts';

/** Background and ink of covers. */
const COLORS = [
  ['#7c2d12', '#fde8d7'],
  ['#1e3a5f', '#dbe9f6'],
  ['#3f4f2f', '#eef3e2'],
  ['#5b2a4e', '#f6e3f0'],
  ['#b7791f', '#fff8e6'],
  ['#2f4858', '#e3eef2'],
  ['#8a1c2b', '#fbe6e4'],
  ['#e8dcc5', '#3b2f22'],
] as const;

/** Draws the cover of a book as SVG. */
export function cover({ params }: Visit): Answer | undefined {
  const slug = /^(.+)\.svg$/.exec(params.file ?? '')?.[1];
  const index = BOOKS.findIndex((book) => book.slug === slug);
  const book = BOOKS[index];
  return book && file('image/svg+xml; charset=utf-8', draw(book, index), book.changed);
}

function draw({ title, author }: Book, index: number): string {
  const [back, ink] = COLORS[(index * 5) % COLORS.length] ?? COLORS[0];
  const heading = splitWords(title).map(
    (line, row) => `<tspan x="24" dy="${row === 0 ? 0 : 34}">${escapeText(line)}</tspan>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="360" viewBox="0 0 240 360" role="img">
<title>${escapeText(title)}</title>
<rect width="240" height="360" fill="${back}"/>
${ORNAMENTS[index % ORNAMENTS.length]?.(ink, index) ?? ''}
<text x="24" y="64" font-family="Georgia, serif" font-size="27" fill="${ink}">${heading.join('')}</text>
<text x="24" y="330" font-family="Georgia, serif" font-size="15" fill="${ink}">${escapeText(author)}</text>
</svg>
`;
}

type Ornament = (ink: string, index: number) => string;

/** Drawings between the title and the author. */
const ORNAMENTS: readonly Ornament[] = [
  (ink, index) => `<circle cx="${70 + ((index * 37) % 100)}" cy="240" r="46" fill="${ink}" opacity=".22"/>`,
  (ink) =>
    `<path d="M0 262 Q60 222 120 262 T240 262 V300 Q180 260 120 300 T0 300Z" fill="${ink}" opacity=".22"/>`,
  (ink) => `<path d="M24 280h192M24 268h192M24 256h192" stroke="${ink}" opacity=".5"/>`,
  (ink, index) => `<path d="M${40 + ((index * 29) % 90)} 290l40-84 40 84z" fill="${ink}" opacity=".25"/>`,
  (ink) => `<rect x="12" y="12" width="216" height="336" fill="none" stroke="${ink}" opacity=".6"/>`,
];

/** Breaks a title into lines of about 14 characters. */
function splitWords(title: string): readonly string[] {
  const lines: string[] = [];
  for (const word of title.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 14) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
