import type { BodyOf } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { UsageError } from '../exit-codes.ts';
import { collect, pairOf } from './option-values.ts';
import { addPageFlags } from './page-flags.ts';
import { readText } from './read-text.ts';

/** Options for the body of a request, as commander reads them. */
export interface RequestFlags {
  readonly data?: string;
  readonly dataJson?: string;
  readonly form?: string[];
}

type Requests = NonNullable<Extract<BodyOf<'createJob'>, { requests?: unknown }>['requests']>;

/** Adds the options for the method and the body of a request. */
export function addRequestOptions(command: Command): Command {
  return addPageFlags(command.optionsGroup('Request:'), 'Request')
    .option('--data <text>', 'text to send; @file reads a file, @- the standard input')
    .option('--data-json <json>', 'JSON to send; @file reads a file, @- the standard input')
    .option('--form <name=value>', 'field of a form to send; repeatable', collect)
    .optionsGroup('Options:');
}

/** Converts the options for the API; missing ones are undefined. */
export async function readRequestOptions(flags: RequestFlags, cli: Pick<Cli, 'terminal'>) {
  const { data, dataJson, form } = flags;
  const given = [data && '--data', dataJson && '--data-json', form && '--form'].filter(Boolean);
  if (given.length > 1) {
    throw new UsageError(`${given.join(' and ')} exclude each other.`, 'A request has one body.');
  }
  return {
    body: data === undefined ? undefined : await readValue(data, cli),
    json: dataJson === undefined ? undefined : await readJson(dataJson, cli),
    form: form && fieldsOf(form),
  };
}

/** Reads the requests of a job from a file: a JSON array, or one JSON object per line. */
export async function readRequests(file: string, cli: Pick<Cli, 'terminal'>): Promise<Requests> {
  const text = (await readText(file, cli)).trim();
  const json = text.startsWith('[') ? text : `[${text.split(/[\r\n]+/).join(',')}]`;
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(
      `${file} has a request that is not JSON: ${(error as Error).message}.`,
      'Write one request per line: {"url": "https://example.com/search", "json": {"q": "kettle"}}',
    );
  }
}

async function readValue(value: string, cli: Pick<Cli, 'terminal'>): Promise<string> {
  return value.startsWith('@') ? await readText(value.slice(1), cli) : value;
}

async function readJson(value: string, cli: Pick<Cli, 'terminal'>): Promise<unknown> {
  try {
    return JSON.parse(await readValue(value, cli));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const example = `Write it as --data-json '{"q": "kettle"}'. A text goes into --data.`;
    throw new UsageError(`--data-json is not JSON: ${(error as Error).message}.`, example);
  }
}

/** A field that is named again has several values. */
function fieldsOf(form: readonly string[]): Record<string, string | string[]> {
  const pairs = form.map((each) => pairOf(each, '=', '--form', 'q=kettle'));
  const groups = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    [...groups].map(([name, group]) => {
      const values = group.map(([, value]) => value);
      return [name, values.length === 1 ? (values[0] as string) : values];
    }),
  );
}
