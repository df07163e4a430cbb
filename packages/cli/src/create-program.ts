import { Command, Option } from 'commander';
import type { Cli, GlobalOptions } from './cli.ts';
import { COMMANDS, type Entry } from './command-table.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { createOutput, FORMATS } from './output/output.ts';
import { openFile, openStdout, type Sink } from './output/sink.ts';
import { findSettings, readSettings } from './settings/resolve-settings.ts';
import { openTerminal } from './terminal.ts';
import { readVersion } from './version.ts';

/** Words of the command line that choose the commands whose code is loaded; undefined loads all of them. */
export type Words = readonly string[] | undefined;

/** Builds the commands. Only the one that the words name is loaded; of the others, the help needs the summary. */
export async function createProgram(cli: Cli, words: Words): Promise<Command> {
  const program = prepare(new Command('gleaner'))
    .description('Give it a URL and CSS selectors, get the data.')
    .version(cli.version, '-V, --version', 'print the version')
    .enablePositionalOptions()
    .addHelpText('after', EXAMPLES);
  await addEntries(program, COMMANDS, words, cli);
  return program;
}

/** Descriptions stay beside their options on a terminal of 60 columns. */
const MIN_WIDTH_TO_WRAP = 24;

const EXAMPLES = `
Examples:
  gleaner scrape https://example.com -s title=h1
  gleaner job create --urls-file urls.txt -s title=h1 -s 'tags=.tag::all' -w
  gleaner crawl https://example.com --include '/posts/**' -s title=h1
  gleaner job results job_… -o results.csv

Address and key come from the first of: --url and --key-file; GLEANER_URL
and GLEANER_API_KEY; the profile of "gleaner login"; the folder .gleaner
of "npm start", here or above.`;

async function addEntries(
  parent: Command,
  entries: Readonly<Record<string, Entry>>,
  words: Words,
  cli: Cli,
): Promise<void> {
  for (const [name, entry] of Object.entries(entries)) {
    const command = prepare(new Command(name)).description(entry.summary).summary(entry.summary);
    parent.addCommand(command);
    if (words && words[0] !== name) continue;
    if ('commands' in entry) await addEntries(command, entry.commands, words?.slice(1), cli);
    else {
      (await entry.load())(command, cli);
      addGlobalOptions(command);
    }
  }
}

/** Errors are thrown to the caller, who prints them. */
function prepare(command: Command): Command {
  return command
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .configureHelp({ minWidthToWrap: MIN_WIDTH_TO_WRAP })
    .showSuggestionAfterError(true)
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .allowExcessArguments(false);
}

function addGlobalOptions(command: Command): void {
  command
    .optionsGroup('Output:')
    .option('--json', 'print JSON, whole')
    .addOption(new Option('--format <format>', `form of the output: ${FORMATS.join(', ')}; on a pipe ndjson`))
    .option(
      '-o, --output <file>',
      'write to a file, which is there when it is complete; pages of a job also to a folder/, a file each',
    )
    .option('-q, --quiet', 'show no progress')
    .optionsGroup('Service:')
    .option('--url <url>', 'address of the service')
    .option('--key-file <file>', 'file with the API key; - is the standard input')
    .option('--profile <name>', 'profile of "gleaner login"')
    .option('--no-input', 'never ask');
}

/** Creates what commands work with. The files and streams that they open are added to the list. */
export function createCli(process: NodeJS.Process, signal: AbortSignal, sinks: Sink[]): Cli {
  const terminal = openTerminal(process);
  const { env } = process;
  const folders = enterFolder(process);
  const surroundings = { env, folders, terminal };
  const settings = (options: GlobalOptions) => readSettings(options, surroundings);
  const version = readVersion();
  const keep = (sink: Sink): Sink => {
    sinks.push(sink);
    return sink;
  };
  const connect: Cli['connect'] = async (options) => {
    const { url, apiKey } = await settings(options);
    const { Gleaner } = await import('@gleaner/client');
    return new Gleaner({ url, apiKey, headers: { 'user-agent': `gleaner-cli/${version}` } });
  };
  const output: Cli['output'] = (options) => {
    const { output: path } = options;
    return createOutput(options, keep(path && path !== '-' ? openFile(path) : openStdout(terminal.stdout)));
  };
  return {
    ...{ terminal, env, folders, version, signal, settings, connect, output },
    exit: EXIT_CODES.ok.code,
    comeBack: undefined,
    address: async (options) => (await findSettings(options, surroundings)).url,
    // The output comes first: it rejects options that do not fit.
    open: async (options) => ({ output: output(options), gleaner: await connect(options), call: { signal } }),
    file: (path) => keep(openFile(path)),
  };
}

/** Returns to the folder in which `npm run` was called: npm runs every script in the folder of its package. */
function enterFolder({ env, cwd, chdir }: NodeJS.Process): string[] {
  const folder = cwd();
  const { npm_lifecycle_event: script, INIT_CWD: called } = env;
  if (script !== 'gleaner' || !called) return [folder];
  chdir(called);
  return [called, folder];
}
