import { takingTurns } from './taking-turns.ts';

/** Characters that are parsed at once. */
const PIECE = 128 * 1024;

/** Parses valid JSON in pieces; between them, `takeTurns` may give other work its turn. */
export async function parseInTurns(
  text: string,
  takeTurns: () => Promise<void> = takingTurns(),
  pieceChars = PIECE,
): Promise<unknown> {
  if (text.length <= pieceChars) return JSON.parse(text);
  const steps = parseInSteps(text, pieceChars);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await takeTurns();
  }
}

/** An array or object whose end has not been reached. */
interface Open {
  readonly isList: boolean;
  /** Its value as far as it was parsed; undefined while its text is parsed as a part of another value. */
  value: unknown[] | object | undefined;
  /** Index of its first member that was not parsed. */
  from: number;
  /** Index of its last member. */
  last: number;
}

const CODES = { quote: 0x22, comma: 0x2c, list: 0x5b, listEnd: 0x5d, object: 0x7b, objectEnd: 0x7d } as const;

/** Yields between pieces of the text, and returns its value. Each character is parsed once, however deep it is. */
function* parseInSteps(text: string, pieceChars: number): Generator<undefined, unknown> {
  const open: Open[] = [];
  /** Number of the outer ones that have values. */
  let begun = 0;
  let root: unknown;
  let pieceFrom = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === CODES.quote) index = endOfString(text, index);
    else if (code === CODES.list || code === CODES.object)
      open.push({ isList: code === CODES.list, value: undefined, from: index + 1, last: index + 1 });
    else if (code === CODES.comma) (open.at(-1) as Open).last = index + 1;
    else if (code === CODES.listEnd || code === CODES.objectEnd) {
      const { value, from, isList } = open.pop() as Open;
      if (value === undefined) continue;
      addMembers(text.slice(from, index), value, isList);
      begun = open.length;
      const around = open.at(-1);
      if (around) around.from = index + 1;
    } else continue;
    if (index - pieceFrom < pieceChars || open.length === 0) continue;
    for (let depth = Math.max(0, begun - 1); depth < open.length; depth += 1) {
      const each = open[depth] as Open;
      if (each.value === undefined) {
        each.value = each.isList ? [] : {};
        const around = open[depth - 1];
        if (around) addMember(nameAt(text, around), each.value, around.value as object);
        else root = each.value;
      }
      addMembers(text.slice(each.from, each.last), each.value, each.isList);
      each.from = Math.max(each.from, each.last);
    }
    begun = open.length;
    pieceFrom = index;
    yield;
  }
  return root ?? JSON.parse(text);
}

/** Returns the index of the last quote of a string of JSON; its first is at `start`. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - slashes - 1] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

/** Returns the name of the last member of an object; undefined for a list. */
function nameAt(text: string, { isList, last }: Open): string | undefined {
  return isList ? undefined : JSON.parse(text.slice(last, endOfString(text, text.indexOf('"', last)) + 1));
}

/** Adds members, which commas may surround. */
function addMembers(text: string, value: object, isList: boolean): void {
  const members = text.trim().replace(/^,/, '').replace(/,$/, '');
  if (members === '') return;
  const [begin, end] = isList ? '[]' : '{}';
  const parsed = JSON.parse(begin + members + end);
  for (const [name, each] of isList ? parsed.entries() : Object.entries(parsed))
    addMember(isList ? undefined : name, each, value);
}

/** Adds a member of any name to a list or object. */
function addMember(name: string | undefined, member: unknown, value: object): void {
  if (name === undefined) (value as unknown[]).push(member);
  else
    Object.defineProperty(value, name, {
      value: member,
      writable: true,
      enumerable: true,
      configurable: true,
    });
}
