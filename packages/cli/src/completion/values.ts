import type { Option } from 'commander';
import type { Cli } from '../cli.ts';
import { FORMAT_NAMES, RESETTABLE_SETTINGS, SCOPES } from '../input/choices.ts';
import { FORMATS } from '../output/output.ts';
import { readProfiles } from '../settings/profiles.ts';
import { findIds } from './find-ids.ts';
import type { Place } from './read-place.ts';

/** A word that can follow, and what it is. */
export interface Suggestion {
  readonly word: string;
  readonly about: string;
}

/** Stands for the files of this machine, which the shell completes itself. */
export const FILES = 'files';

type Source = (unfinished: string, place: Place, cli: Cli) => Suggestion[] | Promise<Suggestion[]>;

/** Values of options that take more than fixed choices. */
const BY_OPTION: Readonly<Record<string, Source>> = {
  '--format': () => toSuggestions(FORMATS),
  '--formats': listOf(FORMAT_NAMES),
  '--job': (_unfinished, place, cli) => findIds('job', place, cli),
  '--schedule': (_unfinished, place, cli) => findIds('schedule', place, cli),
  '--profile': (_unfinished, _place, cli) => profilesOf(cli),
  '--reset': () => toSuggestions(RESETTABLE_SETTINGS),
  '--scopes': listOf(SCOPES),
  '--since': (_unfinished, place, cli) => findIds('job', { ...place, path: 'job results' }, cli),
  '--timezone': () => toSuggestions(['UTC', ...Intl.supportedValuesOf('timeZone')]),
};

/** Returns the values of an option; none for what only the person knows. */
export async function valuesOfOption(
  option: Option,
  unfinished: string,
  place: Place,
  cli: Cli,
): Promise<Suggestion[] | typeof FILES> {
  if (option.argChoices) return toSuggestions(option.argChoices);
  if (option.flags.endsWith('<file>')) return FILES;
  return (await BY_OPTION[option.long ?? '']?.(unfinished, place, cli)) ?? [];
}

/** Returns the values of the argument that is due. */
export async function valuesOfArgument(place: Place, cli: Cli): Promise<Suggestion[]> {
  const argument = place.command.registeredArguments[place.operands];
  if (argument?.argChoices) return toSuggestions(argument.argChoices);
  if (argument?.name() === 'id') return await findIds(place.path.split(' ')[0] ?? '', place, cli);
  return place.path === 'profiles' && argument ? profilesOf(cli) : [];
}

/** Completes the last entry of a list with commas. */
function listOf(words: readonly string[]): Source {
  return (unfinished) => {
    const before = unfinished.slice(0, unfinished.lastIndexOf(',') + 1);
    const taken = before.split(',');
    return toSuggestions(words.filter((word) => !taken.includes(word)).map((word) => before + word));
  };
}

function profilesOf({ env }: Cli): Suggestion[] {
  return Object.entries(readProfiles(env).profiles).map(([word, { url }]) => ({ word, about: url }));
}

function toSuggestions(words: readonly string[]): Suggestion[] {
  return words.map((word) => ({ word, about: '' }));
}
