import { spawn } from 'node:child_process';
import { type Command, InvalidArgumentError } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
const PAGES: Readonly<Record<string, string>> = { console: '/console/', docs: '/docs' };
const CODE_WITHIN_MS = 10_000;

/** `gleaner open [console|docs]`: prints the address of a page and opens it where there is a browser. */
export function defineOpen(command: Command, cli: Cli): void {
  command
    .argument('[page]', `the page: ${Object.keys(PAGES).join(', ')}`, readPage, PAGES.console)
    .action(async (path: string, flags: GlobalOptions) => {
      const { url, apiKey } = await cli.settings(flags);
      const service = url.replace(/\/$/, '');
      const fragment = path === PAGES.console && apiKey ? await signInFragment(service, apiKey) : '';
      const address = service + path + fragment;
      await cli.output(flags).sink.write(`${address}\n`);
      if (cli.terminal.stdout.isTTY) openPage(address);
    });
}

function readPage(name: string): string {
  const path = PAGES[name];
  if (path) return path;
  throw new InvalidArgumentError(`There is: ${Object.keys(PAGES).join(', ')}.`);
}

/** Returns the part of the console's address that signs in once; empty when the service makes no such codes. */
async function signInFragment(service: string, apiKey: string): Promise<string> {
  try {
    const response = await fetch(`${service}/v1/session/codes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(CODE_WITHIN_MS),
    });
    const { code } = (await response.json()) as { code?: string };
    return code ? `#code=${code}` : '';
  } catch {
    return '';
  }
}

/** A machine without a browser still has the address. */
function openPage(address: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  opener.on('error', () => {});
  opener.unref();
}
