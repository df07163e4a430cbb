import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Command, Option } from 'commander';
import { createCli } from '../src/create-cli.ts';
import { UsageError } from '../src/exit-codes.ts';
import { refuseMisreadValues } from '../src/input/misread-values.ts';
import { runGleaner } from './support/run-gleaner.ts';

const ENV = { GLEANER_URL: 'http://127.0.0.1:1', GLEANER_API_KEY: 'gl_1' };

/** An option of a command, with the words that lead there. */
interface Place {
  readonly path: readonly string[];
  readonly option: Option;
  readonly command: Command;
}

function* placesOf(command: Command, path: readonly string[] = []): Generator<Place> {
  for (const inner of command.commands) yield* placesOf(inner, [...path, inner.name()]);
  if (command.commands.length > 0) return;
  for (const option of command.options) yield { path, option, command };
}

function suggestionFor(program: Command, words: readonly string[]): string | undefined {
  try {
    refuseMisreadValues(program, words);
  } catch (error) {
    if (error instanceof UsageError) return `${error.message} ${error.suggestion}`;
    throw error;
  }
  return undefined;
}

describe('a word that is not a value of the option before it', () => {
  let program: Command;
  let places: readonly Place[];
  beforeAll(async () => {
    program = await createCli(process, new AbortController().signal, []).program(undefined);
    places = [...placesOf(program)];
  });

  /** Returns the places where such words are not refused. */
  const missed = (
    isMeant: (option: Option) => boolean,
    words: (place: Place) => string[][],
    said: string,
  ) => {
    const meant = places.filter(({ option }) => isMeant(option));
    expect(meant.length).toBeGreaterThan(0);
    return meant.flatMap((place) =>
      words(place)
        .map((each) => [...place.path, ...each])
        .filter((each) => !suggestionFor(program, each)?.includes(said))
        .map((each) => each.join(' ')),
    );
  };

  it('is refused behind every switch', () => {
    const isSwitch = ({ required, optional }: Option) => !required && !optional;
    const behind = ({ option: { long, short } }: Place) => [
      ...['true', 'false', 'on', 'off', 'yes', 'no'].map((word) => ['x', long ?? '', word]),
      ['x', `${long}=true`],
      ['x', `${long}=anything`],
      ...(short ? [['x', short, 'true']] : []),
    ];
    expect(missed(isSwitch, behind, 'takes no value')).toEqual([]);
  });

  it('is refused behind every switch whose other forms have switches of their own', () => {
    const sisters = places.flatMap(({ path, option: { long, required }, command: { options } }) =>
      options
        .filter((other) => !other.required && !required && other.long?.startsWith(`${long}-`))
        .map((other) => ({ path, long: long ?? '', other: other.long ?? '' })),
    );
    expect(sisters.map(({ other }) => other)).toContain('--render-auto');
    for (const { path, long, other } of sisters) {
      const word = other.slice(long.length + 1);
      expect(suggestionFor(program, [...path, long, word, 'x'])).toContain(`Did you mean ${other}?`);
      expect(suggestionFor(program, [...path, 'x', `${long}=${word}`])).toContain(`Did you mean ${other}?`);
    }
  });

  it('is refused behind every option with a value, if it is another option', () => {
    const takesValue = ({ required }: Option) => required;
    const behind = ({ option: { long, short }, command: { options } }: Place) =>
      [long, short].flatMap((flag) =>
        flag ? options.map((other) => ['x', flag, other.long ?? other.short ?? '']) : [],
      );
    expect(missed(takesValue, behind, 'has no value')).toEqual([]);
  });

  it('is refused behind every option with an optional value, if it is a page', () => {
    const behind = ({ option: { long } }: Place) => [
      ['x', long ?? '', 'https://a.test'],
      [long ?? '', 'a.test'],
      [long ?? '', 'a.test', '--quiet'],
    ];
    expect(missed(({ optional }) => optional, behind, 'Write pages before it')).toEqual([]);
  });

  it.each([
    [['scrape', '--render', 'https://a.test']],
    [['job', 'create', '--render', 'auto.example', '--snapshot', 'b.test']],
    [['scrape', 'a.test', '--wait-for', '-1', '--header', '--x: --render']],
    [['scrape', 'a.test', '--wait-for', 'true']],
    [['scrape', 'a.test', '--', '--render', 'auto']],
    [['crawl', 'a.test', '--ignore-query', 'utm_source,ref', '--render']],
    [['crawl', '--ignore-query', '--render', 'a.test']],
    [['schedule', 'create', 'a.test', '--when', 'price by -10%']],
    [['login', '--key-file', '-']],
  ])('is taken otherwise: %j', (words) => {
    expect(suggestionFor(program, words)).toBeUndefined();
  });

  it('ends the command before anything is asked for', async () => {
    const words = ['job', 'create', 'https://a.test', '--render', 'auto'];
    const { code, stdout, stderr } = await runGleaner(words, { env: ENV });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--render takes no value, and auto was given.');
    expect(stderr).toContain('Did you mean --render-auto?');
  });
});
