import { type ChannelMessage, cutText, LIMITS, type Rule } from '@gleaner/contracts';
import { showValue } from './encode-value.ts';
import type { ToldByRule } from './judge-rules.ts';
import type { ToldRecord } from './rules-state.ts';

/** Characters of a record's name, of a value and of a URL in a message. */
const MAX_NAME = 120;
const MAX_VALUE = 160;
const MAX_URL = 1000;
/** Share of a message for its lines; the rest is for their copy as data. */
const LINES_BYTES = LIMITS.maxMessageBytes / 3;

/** Returns the messages of a rule about a run: the records in parts that fit. */
export function* renderMessages(
  { name, to }: Pick<Rule, 'name' | 'to'>,
  { records, more }: ToldByRule,
): Generator<ChannelMessage> {
  const parts = partsOf(records);
  for (const [index, part] of parts.entries()) {
    const left = index === parts.length - 1 ? more : 0;
    const lines = part.map(lineOf);
    const rest = left > 0 ? [`and ${left} more`] : [];
    yield {
      rule: name,
      to: [...to],
      title: titleOf(name, part, { count: records.length + more, index, parts: parts.length }),
      text: [...lines, ...rest].join('\n'),
      records: part.map(({ key, url, isRemoved, values }) => ({
        record: cutText(key, MAX_NAME),
        url: cutText(url, MAX_URL),
        ...(isRemoved && { isRemoved: true as const }),
        values: values.slice(0, MAX_VALUES).map(({ field, before, after }) => ({
          field,
          ...(before !== undefined && { before: shortValue(before) }),
          ...(after !== undefined && { after: shortValue(after) }),
        })),
      })),
      ...(left > 0 && { more: left }),
    };
  }
}

/** Values of a record that a message names. */
const MAX_VALUES = 5;

function partsOf(records: readonly ToldRecord[]): ToldRecord[][] {
  const parts: ToldRecord[][] = [];
  let bytes = 0;
  for (const record of records) {
    const size = Buffer.byteLength(lineOf(record)) + 50;
    const last = parts.at(-1);
    if (last && bytes + size <= LINES_BYTES) {
      last.push(record);
      bytes += size;
    } else {
      parts.push([record]);
      bytes = size;
    }
  }
  return parts;
}

function titleOf(
  name: string,
  part: readonly ToldRecord[],
  { count, index, parts }: { readonly count: number; readonly index: number; readonly parts: number },
): string {
  const [only] = part;
  if (count === 1 && only) return cutText(oneLine(`${name}: ${factsOf(only)}`), 200);
  return `${name}: ${count} records${parts > 1 ? ` (${index + 1} of ${parts})` : ''}`;
}

function lineOf(record: ToldRecord): string {
  return oneLine(`${factsOf(record)} ${cutText(record.url, MAX_URL)}`);
}

/** Returns the name of a record, and its values before and after. */
function factsOf({ key, url, values, isRemoved }: ToldRecord): string {
  const facts = values.slice(0, MAX_VALUES).map(({ field, before, after }) => {
    const now = cutText(showValue(after), MAX_VALUE);
    return before === undefined
      ? `${field} ${now}`
      : `${field} ${cutText(showValue(before), MAX_VALUE)} → ${now}`;
  });
  const name = key === url ? '' : cutText(key, MAX_NAME);
  const all = [...(isRemoved ? ['removed'] : []), ...facts].join(', ');
  return [name, all].filter(Boolean).join(': ');
}

function shortValue(value: string | number | boolean | null): string | number | boolean | null {
  return typeof value === 'string' ? cutText(showValue(value), MAX_VALUE) : value;
}

function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
