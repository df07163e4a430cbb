import { isDay, yearOfTwoDigits } from '../calendar.ts';
import { numberAt } from './cursor.ts';
import type { FoundDate } from './found.ts';
import { type Source, yearOf } from './source.ts';

/** Years before the first one of an era. */
const ERAS: ReadonlyMap<string, number> = new Map([
  ['明治', 1867],
  ['大正', 1911],
  ['昭和', 1925],
  ['平成', 1988],
  ['令和', 2018],
  ['民國', 1911],
  ['民国', 1911],
]);

/** Reads "2024年5月3日", "2024년 5월 3일", "令和6年5月3日". */
export function readEastAsian(source: Source, start: number): FoundDate | undefined {
  const { tokens } = source;
  const month = numberAt(source, start + 2, 1, 2);
  const day = numberAt(source, start + 4, 1, 2);
  if (!/^[年년]$/.test(tokens[start + 1]?.text ?? '') || !/^[月월]$/.test(tokens[start + 3]?.text ?? ''))
    return undefined;
  const year = yearAt(source, start);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const found = { year, month, day };
  const hasEnd = /^[日號号일]$/.test(tokens[start + 5]?.text ?? '');
  return { readings: isDay(found) ? [{ day: found }] : [], end: start + (hasEnd ? 6 : 5) };
}

function yearAt(source: Source, index: number): number | undefined {
  const { tokens } = source;
  const token = tokens[index];
  const year = yearOf(source, token?.text);
  if (year !== undefined) return year;
  const before = ERAS.get(`${tokens[index - 2]?.text}${tokens[index - 1]?.text}`);
  if (before !== undefined && token)
    return token.text === '元' ? before + 1 : before + Number(token.text.slice(0, 3));
  const digits = numberAt(source, index, 2, 2);
  return digits === undefined ? undefined : yearOfTwoDigits(digits);
}
