import { GleanerError } from '@gleaner/client';
import { CommanderError } from 'commander';
import type { Cli } from './cli.ts';
import { COMMANDS, type Entry } from './command-table.ts';
import { createCli } from './create-cli.ts';
import { EXIT_CODES, exitOf, UsageError } from './exit-codes.ts';
import { refuseMisreadValues } from './input/misread-values.ts';
import { BrokenPipe, type Sink } from './output/sink.ts';

/** Runs the command that the arguments of the process name, and returns its exit code. */
export async function runCommandLine(process: NodeJS.Process): Promise<number> {
  const words = process.argv.slice(2);
  const interrupt = new AbortController();
  const sinks: Sink[] = [];
  const cli = createCli(process, interrupt.signal, sinks);
  process.on('SIGINT', () => {
    // The second one does not wait for what the first one ends.
    if (interrupt.signal.aborted) process.exit(EXIT_CODES.interrupted.code);
    interrupt.abort(new Error('interrupted'));
  });
  try {
    const program = await cli.program(wordsOfCommand(words));
    refuseMisreadValues(program, words);
    await program.parseAsync(words.length > 0 ? words : ['--help'], { from: 'user' });
    for (const sink of sinks) await sink.close();
    return cli.exit;
  } catch (error) {
    for (const sink of sinks) await sink.abort();
    // At a question, the terminal hands Ctrl-C to the program as a key.
    if (interrupt.signal.aborted || (error instanceof Error && error.name === 'AbortError')) {
      cli.terminal.warn(cli.comeBack ? `\n${cli.comeBack}\n` : '\n');
      return EXIT_CODES.interrupted.code;
    }
    return report(error, cli, words);
  }
}

/** Returns the words of the command: all words before the first option. */
function wordsOfCommand(words: readonly string[]): string[] {
  const end = words.findIndex((word) => word.startsWith('-'));
  return words.slice(0, end === -1 ? undefined : end);
}

/** Prints the error and returns the exit code. */
function report(error: unknown, cli: Cli, words: readonly string[]): number {
  if (error instanceof BrokenPipe) return EXIT_CODES.ok.code;
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT_CODES.ok.code;
    if (error.code === 'commander.help') return EXIT_CODES.usage.code;
    return report(fromCommander(error, words), cli, words);
  }
  const isJson = words.includes('--json');
  const help = helpFor(words);
  const prefix = isJson ? '' : cli.terminal.style('red', 'gleaner:');
  cli.terminal.warn(describeError(error, { isJson, help }), prefix);
  if (cli.comeBack && !isJson) cli.terminal.warn(`${cli.comeBack}\n`);
  return EXIT_CODES[exitOf(error)].code;
}

/** Commander writes "error: unknown option '--x'\n(Did you mean --y?)". */
function fromCommander({ message }: CommanderError, words: readonly string[]): UsageError {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`.replace(/\.?$/, '.');
  const hint = rest.join(' ').replace(/^\((.*)\)$/, '$1');
  return new UsageError(
    sentence,
    synonym(first, words) ||
      hint ||
      misplaced(first, words) ||
      `The help lists what there is: ${helpFor(words)}`,
  );
}

/** Names that other command lines give to commands of this one, the likeliest first. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  get: ['show', 'list'],
  status: ['show', 'usage'],
  info: ['show'],
  view: ['show'],
  describe: ['show'],
  ls: ['list'],
  all: ['list'],
  new: ['create', 'set'],
  add: ['create', 'set'],
  start: ['create', 'run'],
  update: ['edit', 'set'],
  rm: ['delete', 'revoke', 'cancel'],
  remove: ['delete', 'revoke', 'cancel'],
  delete: ['revoke', 'cancel'],
  stop: ['cancel', 'pause'],
  follow: ['watch'],
  wait: ['watch'],
  download: ['results'],
  jobs: ['job'],
  schedules: ['schedule'],
  keys: ['key'],
  webhooks: ['webhook'],
  secrets: ['secret'],
  datasets: ['dataset'],
  channels: ['channel'],
};

/** Names the command that is meant by a word of other command lines, such as `job get`. */
function synonym(message: string, words: readonly string[]): string | undefined {
  const unknown = /^unknown command '(.*)'/.exec(message)?.[1];
  if (unknown === undefined || !Object.hasOwn(SYNONYMS, unknown)) return undefined;
  const group = namesOf(words, COMMANDS);
  const known = namesWithin(group);
  const meant = SYNONYMS[unknown]?.find((name) => known.includes(name));
  return meant && `Did you mean: ${['gleaner', ...group, meant].join(' ')}`;
}

/** Returns the names of the commands in a group; of all for none. */
function namesWithin(group: readonly string[]): readonly string[] {
  let entries: Readonly<Record<string, Entry>> = COMMANDS;
  for (const name of group) {
    const entry = entries[name];
    entries = entry && 'commands' in entry ? entry.commands : {};
  }
  return Object.keys(entries);
}

/** Corrects a line with options before the command: options common to all commands come after it. */
function misplaced(message: string, words: readonly string[]): string | undefined {
  const names = words.findIndex((word) => Object.hasOwn(COMMANDS, word));
  if (!message.startsWith('unknown option') || names < 1) return undefined;
  return `Options follow the command: gleaner ${[...words.slice(names), ...words.slice(0, names)].join(' ')}`;
}

function helpFor(words: readonly string[]): string {
  return ['gleaner', ...namesOf(words, COMMANDS), '--help'].join(' ');
}

/** Returns the words that are names of a command: the others are its arguments. */
function namesOf(
  [name = '', ...rest]: readonly string[],
  entries: Readonly<Record<string, Entry>>,
): string[] {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (!entry) return [];
  return [name, ...('commands' in entry ? namesOf(rest, entry.commands) : [])];
}

interface ErrorContext {
  readonly isJson: boolean;
  /** Command that prints the help. */
  readonly help: string;
}

/** Renders an error for the error stream, behind the name of the command: what happened, what to do, and where; as JSON for programs. */
function describeError(error: unknown, { isJson, help }: ErrorContext): string {
  if (isJson) return `${JSON.stringify({ error: toJson(error) })}\n`;
  const message = error instanceof Error ? error.message : String(error);
  const lines = [message, ...detailsOf(error), ...suggestionOf(error, help), ...originOf(error)];
  const [first = '', ...rest] = lines.flatMap((line) => line.split('\n'));
  return ` ${first}\n${rest.map((line) => `         ${line}\n`).join('')}`;
}

function toJson(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause, ...fields } = error as Error & Record<string, unknown>;
  return { message, ...fields };
}

function suggestionOf(error: unknown, help: string): string[] {
  if (error instanceof GleanerError) {
    // The suggestion of the service is about fields of JSON.
    if (error.code === 'INVALID_REQUEST') return [`The help lists the options: ${help}`];
    const suggestion = SUGGESTIONS[error.code] ?? error.suggestion;
    return suggestion ? [suggestion] : [];
  }
  return error instanceof UsageError && error.suggestion ? [error.suggestion] : [];
}

/** Next steps in words of the command line, where the service names routes. */
const SUGGESTIONS: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'Log in with a valid key: gleaner login. Create one with: npm run keys -- create',
  FORBIDDEN: 'Use a key with the scope. Create one with: gleaner key create --scopes <scope>',
  INSUFFICIENT_CREDITS:
    'gleaner usage shows the balance. Add credits with: npm run keys -- credit <account> <amount>',
  INVALID_SELECTOR:
    "A selector is CSS, then ::text, ::attr(name) or ::html, then ::all: -s 'links=a::attr(href)::all'",
  PAYLOAD_TOO_LARGE:
    'Divide a long list: split -l 50000 urls.txt part-; for part in part-*; do gleaner job create --urls-file $part; done',
  JOB_NOT_FOUND: 'gleaner job list shows the jobs of this account.',
  JOB_NOT_FINISHED: 'Follow the job with: gleaner job watch <id>',
  JOB_NOT_CANCELLABLE: 'Read its results with: gleaner job results <id>',
  SCHEDULE_NOT_FOUND: 'gleaner schedule list shows the schedules of this account.',
  KEY_NOT_FOUND: 'gleaner key list shows the keys of this account.',
  DELIVERY_NOT_FOUND: 'gleaner webhook deliveries shows the deliveries of this account.',
  BLOCKED: 'Try again with --anti-bot, or go out through another country with --proxy.',
  STREAM_CUT: 'Everything before the cut has arrived. Run the command again for the whole.',
};

const MAX_DETAILS = 10;

/** The message repeats a single detail. */
function detailsOf(error: unknown): string[] {
  const details = error instanceof GleanerError ? (error.details ?? []) : [];
  if (details.length < 2) return [];
  const more = details.length - MAX_DETAILS;
  return [
    ...details.slice(0, MAX_DETAILS).map(({ path, message }) => `- ${path ? `${path} ` : ''}${message}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ];
}

function originOf(error: unknown): string[] {
  if (!(error instanceof GleanerError) || !error.requestId) return [];
  return [`(${error.code}, ${error.requestId})`];
}
