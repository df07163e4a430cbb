import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { createProgram } from '../create-program.ts';

/** A word that can follow, and what it is. */
export interface Suggestion {
  readonly word: string;
  readonly about: string;
}

/** A person waits for the completion of an id. */
const IDS_WITHIN_MS = 1500;
const MAX_IDS = 20;

/** Returns what can follow the words of a command line, the last of which is unfinished. */
export async function suggest(words: readonly string[], cli: Cli): Promise<Suggestion[]> {
  const done = words.slice(0, -1);
  const unfinished = words.at(-1) ?? '';
  const program = await createProgram(cli, done);
  const { command, path, operands, expects } = walk(program, done);
  if (command.commands.length > 0 && operands > 0) return [];
  const found = expects
    ? valuesOf(command, expects)
    : unfinished.startsWith('-')
      ? optionsOf(command)
      : command.commands.length > 0
        ? command.commands.map((each) => ({ word: each.name(), about: each.summary() }))
        : operands === 0
          ? await idsFor(path, command, cli)
          : [];
  return found.filter(({ word }) => word.startsWith(unfinished));
}

/** Follows the words to a command; tells the number of its arguments so far, and the option that a value is due for. */
function walk(program: Command, words: readonly string[]) {
  let command = program;
  const path: string[] = [];
  let operands = 0;
  let expects: string | undefined;
  for (const word of words) {
    if (expects) {
      expects = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const option = command.options.find(({ short, long }) => word === short || word === long);
      expects = option && (option.required || option.optional) ? word : undefined;
      continue;
    }
    const next = command.commands.find((each) => each.name() === word);
    if (next) path.push(word);
    else operands += 1;
    command = next ?? command;
  }
  return { command, path, operands, expects };
}

function optionsOf(command: Command): Suggestion[] {
  return command.options
    .filter(({ hidden, long }) => !hidden && long)
    .map(({ long, description }) => ({ word: long ?? '', about: description }))
    .concat({ word: '--help', about: 'print this help' });
}

function valuesOf(command: Command, flag: string): Suggestion[] {
  const option = command.options.find(({ short, long }) => flag === short || flag === long);
  const listed =
    option?.argChoices ?? (option?.long === '--format' ? ['table', 'json', 'ndjson', 'csv'] : []);
  return listed.map((word) => ({ word, about: '' }));
}

/** Returns the newest ids of what the command is about. Without a service there are none. */
async function idsFor(path: readonly string[], command: Command, cli: Cli): Promise<Suggestion[]> {
  const [noun = ''] = path;
  const takesId = command.registeredArguments.some((argument) => argument.name() === 'id');
  const signal = AbortSignal.any([cli.signal, AbortSignal.timeout(IDS_WITHIN_MS)]);
  if (noun === 'completion') return ['bash', 'zsh', 'fish'].map((word) => ({ word, about: '' }));
  if (!takesId) return [];
  try {
    const gleaner = await cli.connect({});
    const query = { limit: MAX_IDS };
    const call = { signal, maxRetries: 0 };
    if (noun === 'job')
      return (await gleaner.jobs.list(query, call).page()).items.map((job) => about(job, job.status));
    if (noun === 'schedule')
      return (await gleaner.schedules.list(query, call).page()).items.map((each) => about(each, each.cron));
    if (noun === 'key')
      return (await gleaner.keys.list(query, call).page()).items.map((key) => about(key, key.prefix));
    if (noun === 'webhook') {
      const { items } = await gleaner.webhooks.deliveries(query, call).page();
      return items.map(({ id, type, status }) => ({ word: id, about: `${type}, ${status}` }));
    }
  } catch {
    return [];
  }
  return [];
}

function about({ id, name }: { id: string; name: string }, more: string): Suggestion {
  return { word: id, about: `${name}, ${more}`.replaceAll(/\s+/g, ' ') };
}
