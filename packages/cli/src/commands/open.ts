import { spawn } from 'node:child_process';
import { type Command, InvalidArgumentError } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
const PAGES: Readonly<Record<string, string>> = { docs: '/docs' };

/** `gleaner open [docs]`: prints the address of a page and opens it where there is a browser. */
export function defineOpen(command: Command, cli: Cli): void {
  command
    .argument('[page]', `the page: ${Object.keys(PAGES).join(', ')}`, readPage, '/docs')
    .action(async (path: string, flags: GlobalOptions) => {
      const { url } = await cli.settings(flags);
      const address = url.replace(/\/$/, '') + path;
      await cli.output(flags).sink.write(`${address}\n`);
      if (cli.terminal.stdout.isTTY) openPage(address);
    });
}

function readPage(name: string): string {
  const path = PAGES[name];
  if (path) return path;
  throw new InvalidArgumentError(`There is: ${Object.keys(PAGES).join(', ')}.`);
}

/** A machine without a browser still has the address. */
function openPage(address: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  opener.on('error', () => {});
  opener.unref();
}
