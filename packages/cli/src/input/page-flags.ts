import type { PageFlag } from '@gleaner/contracts';
import { type Command, Option } from 'commander';
import type { Cli } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { PAGE_FLAGS } from '../generated/page-flags.ts';
import { collect, pairOf, parseCount } from './option-values.ts';
import { readJsonObject } from './read-text.ts';

type Kind = PageFlag['kind'];

/** Adds the flags of a group, each as its row declares it. */
export function addPageFlags(command: Command, group: PageFlag['group']): Command {
  for (const flag of PAGE_FLAGS) if (flag.group === group) command.addOption(toOption(flag));
  return command;
}

function toOption({ name, value, help, kind, choices, conflicts }: PageFlag): Option {
  const option = new Option(value === undefined ? name : `${name} <${value}>`, help);
  const parse = PARSERS[kind];
  if (parse) option.argParser(parse);
  if (choices) option.choices(choices);
  return conflicts === undefined ? option : option.conflicts(conflicts);
}

const PARSERS: Readonly<Partial<Record<Kind, (text: string, before: unknown) => unknown>>> = {
  count: parseCount,
  headers: collectOne,
  cookies: collectOne,
  captures: collectOne,
};

function collectOne(text: string, before: unknown): string[] {
  return collect(text, before as string[] | undefined);
}

/** Converts the flags that were given to options of the API. */
export async function readPageFlags(
  given: object,
  cli: Pick<Cli, 'terminal'>,
): Promise<Record<string, unknown>> {
  const options: Record<string, unknown> = {};
  for (const flag of PAGE_FLAGS) {
    const value = (given as Readonly<Record<string, unknown>>)[toOption(flag).attributeName()];
    if (value === undefined) continue;
    const read = (await READERS[flag.kind]?.(value as never, flag, cli)) ?? value;
    const others = options[flag.option] as object | undefined;
    options[flag.option] = flag.field === undefined ? read : { ...others, [flag.field]: read };
  }
  return options;
}

type Reader = (value: never, flag: PageFlag, cli: Pick<Cli, 'terminal'>) => unknown;

const READERS: Readonly<Partial<Record<Kind, Reader>>> = {
  jsonFile: (file: string, _flag, cli) => readJsonObject(file, 'Write a JSON schema.', cli),
  switch: (value: boolean, { sets = value }) => sets,
  textOrCount: (text: string) => (/^\d+$/.test(text) ? Number(text) : text),
  headers: (pairs: string[], { name }) =>
    Object.fromEntries(pairs.map((each) => pairOf(each, ':', name, 'Accept-Language: de'))),
  cookies: (pairs: string[], { name: flag }) =>
    pairs.map((each) => {
      const [name, value] = pairOf(each, '=', flag, 'session=abc');
      return { name, value };
    }),
  captures: (pairs: string[], { name: flag }) =>
    Object.fromEntries(
      pairs.map((each) => {
        const [name, rule] = pairOf(each, '=', flag, 'offers=**/api/offers*');
        return [name, rule.startsWith('{') ? readRule(rule) : { url: rule }];
      }),
    ),
};

/** Reads a capture that says more than its URL. */
function readRule(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const example = `Write it as --capture 'offers={"url": "**/api/offers*", "wait": 1}'.`;
    throw new UsageError(`--capture has a value that is not JSON: ${(error as Error).message}.`, example);
  }
}
