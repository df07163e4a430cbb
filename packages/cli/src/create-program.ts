import { Command, Option } from 'commander';
import type { Cli, Words } from './cli.ts';
import { COMMANDS, type Entry } from './command-table.ts';
import { FORMATS } from './output/output.ts';

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
