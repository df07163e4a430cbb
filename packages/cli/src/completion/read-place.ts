import type { Command, Option } from 'commander';

/** Place in a command line that has been typed up to here. */
export interface Place {
  readonly command: Command;
  /** Names of the command, such as `job show`. */
  readonly path: string;
  /** Number of arguments so far. */
  readonly operands: number;
  /** Options so far, by attribute, with their values. */
  readonly given: ReadonlyMap<string, string | undefined>;
  /** Option that a value is due for. */
  readonly expects: Option | undefined;
  /** True after `--`, where words are arguments even if they begin with a dash. */
  readonly isAfterDashes: boolean;
}

/** Follows the words to their command. */
export function readPlace(program: Command, words: readonly string[]): Place {
  let command = program;
  const names: string[] = [];
  const given = new Map<string, string | undefined>();
  let operands = 0;
  let expects: Option | undefined;
  let isAfterDashes = false;
  for (const word of words) {
    if (expects) {
      given.set(expects.attributeName(), word);
      expects = undefined;
    } else if (word === '--') {
      isAfterDashes = true;
    } else if (word.startsWith('-') && !isAfterDashes) {
      const [, flag = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
      const option = command.options.find(({ short, long }) => flag === short || flag === long);
      if (option) given.set(option.attributeName(), value);
      if (option?.required && value === undefined) expects = option;
    } else {
      const next = operands === 0 ? command.commands.find((each) => each.name() === word) : undefined;
      if (next) names.push(word);
      else operands += 1;
      command = next ?? command;
    }
  }
  return { command, path: names.join(' '), operands, given, expects, isAfterDashes };
}
