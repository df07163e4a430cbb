import type { Option } from 'commander';
import type { Cli } from '../cli.ts';
import { collect } from '../input/option-values.ts';
import { FILES, type Place, readPlace, type Suggestion, valuesOfArgument, valuesOfOption } from './values.ts';

/** Returns the possible continuations of a command line with an unfinished last word. */
export async function suggest(words: readonly string[], cli: Cli): Promise<Suggestion[] | typeof FILES> {
  const done = words.slice(0, -1);
  const unfinished = words.at(-1) ?? '';
  const place = readPlace(await cli.program(done), done);
  const found = await find(place, unfinished, cli);
  return found === FILES ? FILES : found.filter(({ word }) => word.startsWith(unfinished));
}

async function find(place: Place, unfinished: string, cli: Cli): Promise<Suggestion[] | typeof FILES> {
  const { command, operands, expects } = place;
  if (expects) return await valuesOfOption(expects, unfinished, place, cli);
  if (unfinished.startsWith('-') && !place.isAfterDashes) {
    const [flag = '', value] = splitAtFirst(unfinished, '=');
    if (value === undefined) return optionsOf(place);
    const option = command.options.find(({ long }) => long === flag);
    const values = option?.required ? await valuesOfOption(option, value, place, cli) : [];
    return values === FILES ? FILES : values.map(({ word, about }) => ({ word: `${flag}=${word}`, about }));
  }
  if (command.commands.length > 0) {
    return operands > 0 ? [] : command.commands.map((each) => ({ word: each.name(), about: each.summary() }));
  }
  return await valuesOfArgument(place, cli);
}

function optionsOf({ command, given }: Place): Suggestion[] {
  const isOpen = (option: Option) => option.parseArg === collect || !given.has(option.attributeName());
  return command.options
    .filter((option) => option.long && !option.hidden && isOpen(option))
    .map(({ long, description }) => ({ word: long ?? '', about: description }))
    .concat({ word: '--help', about: 'print this help' });
}

function splitAtFirst(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
