import type { Command, Option } from 'commander';
import { UsageError } from '../exit-codes.ts';

/** Words behind a switch, by their meaning: on or off. */
const SWITCH_WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
};

/**
 * Rejects words that would silently mean something else: a value behind a switch would be a page of its own, an option
 * behind another one its value, and a page behind an optional value that value.
 */
export function refuseMisreadValues(program: Command, words: readonly string[]): void {
  const { command, rest } = commandOf(program, words);
  const end = rest.indexOf('--');
  const read = end === -1 ? rest : rest.slice(0, end);
  let isValue = false;
  for (const [index, word] of read.entries()) {
    const [, flag = word, joined] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    const option: Option | undefined = isValue ? undefined : optionOf(command, flag);
    isValue = false;
    if (!option) continue;
    const next = read[index + 1];
    if (isSwitch(option)) refuseValue(option, { joined, next, command });
    else if (joined === undefined && next !== undefined) {
      if (option.required) refuseOption(option, next, command);
      else refusePage(option, next, read);
      isValue = option.required || !next.startsWith('-');
    }
  }
}

/** Follows the words to their command; `rest` are its arguments and options. */
function commandOf(
  program: Command,
  words: readonly string[],
): { command: Command; rest: readonly string[] } {
  const [first, ...rest] = words;
  const next = program.commands.find((each) => each.name() === first);
  return next ? commandOf(next, rest) : { command: program, rest: words };
}

function optionOf({ options }: Command, flag: string): Option | undefined {
  return options.find(({ short, long }) => flag === short || flag === long);
}

function isSwitch({ required, optional }: Option): boolean {
  return !required && !optional;
}

interface Behind {
  /** Text behind an equals sign. */
  readonly joined: string | undefined;
  readonly next: string | undefined;
  readonly command: Command;
}

function refuseValue({ long }: Option, { joined, next, command }: Behind): void {
  const value = joined ?? next;
  if (!long || value === undefined) return;
  const other = optionOf(command, `${long}-${value}`);
  const isOn = Object.hasOwn(SWITCH_WORDS, value) ? SWITCH_WORDS[value] : undefined;
  if (joined === undefined && !other && isOn === undefined) return;
  throw new UsageError(
    `${long} takes no value, and ${value || 'an empty one'} was given.`,
    other
      ? `Did you mean ${other.long}?`
      : `${isOn === false ? 'Without the option, it is off: leave out' : 'The option alone switches it on: write'} ${long}`,
  );
}

function refuseOption({ long, flags }: Option, next: string, command: Command): void {
  const [flag = next] = next.split('=');
  if (!flag.startsWith('-') || !optionOf(command, flag)) return;
  throw new UsageError(
    `${long} has no value: ${flag}, which follows it, is an option.`,
    `Write ${flags}, or leave it out.`,
  );
}

/** The value of an option that may do without one takes the next word, also where a page was meant. */
function refusePage({ long, flags }: Option, next: string, words: readonly string[]): void {
  const isOnlyWord = !words.some((word) => word !== next && !word.startsWith('-'));
  if (next.startsWith('-') || !(isOnlyWord || /[/:]/.test(next))) return;
  throw new UsageError(
    `${long} takes ${next} for its value.`,
    `Write pages before it, and its value as ${flags.replace(' [', '=').replace(']', '')}`,
  );
}
