import { spawn } from 'node:child_process';
import { Argument, type Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { CommandError } from '../exit-codes.ts';

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
const WITHIN_MS = 10_000;
const PAGES = ['console', 'docs'] as const;
type Page = (typeof PAGES)[number];

/** `gleaner open [page]`: prints the address of a page and opens it where there is a browser. */
export function defineOpen(command: Command, cli: Cli): void {
  command
    .addArgument(new Argument('[page]', 'the page').choices(PAGES).default('console'))
    .action(async (page: Page, flags: GlobalOptions) => {
      const address = page === 'docs' ? `${await addressOf(cli, flags)}/docs` : await consoleLink(cli, flags);
      await cli.output(flags).sink.write(`${address}\n`);
      if (cli.terminal.stdout.isTTY) openPage(address);
    });
}

async function addressOf(cli: Cli, flags: GlobalOptions): Promise<string> {
  return (await cli.address(flags)).replace(/\/$/, '');
}

/** Returns a link to the console that signs in once, within ten minutes. */
async function consoleLink(cli: Cli, flags: GlobalOptions): Promise<string> {
  const url = await addressOf(cli, flags);
  const { apiKey } = await cli.settings(flags);
  const response = await fetch(`${url}/v1/session/codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.any([cli.signal, AbortSignal.timeout(WITHIN_MS)]),
  }).catch(() => undefined);
  if (response?.status === 401) {
    throw new CommandError('The service does not know the API key.', {
      suggestion: 'Log in with a valid key: gleaner login',
      exit: 'key',
    });
  }
  if (response?.status === 404) {
    throw new CommandError(`${url} has no console.`, { suggestion: 'The operator sets CONSOLE_DIR.' });
  }
  if (!response?.ok) {
    throw new CommandError(`${url} does not answer${response ? ` (${response.status})` : ''}.`, {
      suggestion: 'gleaner doctor looks for the reason.',
    });
  }
  const { code } = (await response.json()) as { code: string };
  return `${url}/console/#code=${code}`;
}

/** A machine without a browser still has the address. */
function openPage(address: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  opener.on('error', () => {});
  opener.unref();
}
