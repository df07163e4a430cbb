import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../cli.ts';
import { CommandError } from '../exit-codes.ts';
import { collect, parseCount } from '../input/option-values.ts';

interface Flags extends GlobalOptions {
  readonly http?: boolean;
  readonly host: string;
  readonly port: number;
  readonly allowHost?: string[];
}

const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = 8085;

/** `gleaner mcp`: serves tools for agents, on the standard streams or over HTTP. */
export function defineMcp(command: Command, cli: Cli): void {
  command
    .option('--http', 'serve over HTTP; every request brings its API key as a bearer token')
    .option('--port <n>', 'port for --http; 0 takes a free one', parseCount, DEFAULT_PORT)
    .option('--host <address>', 'address to listen on with --http', DEFAULT_HOST)
    .option('--allow-host <name>', 'name by which clients may call --http; repeatable', collect)
    .action(async (flags: Flags) => {
      const { serveStdio, serveHttp } = await import('@gleaner/mcp');
      const { version, signal } = cli;
      const onNotice = (text: string) => {
        if (!flags.quiet) cli.terminal.warn(`gleaner mcp: ${text}\n`);
      };
      if (!flags.http) {
        const { url, apiKey = '' } = await cli.settings(flags);
        await serveStdio({ url, apiKey, version, signal, onNotice });
        return;
      }
      const { host, port, allowHost: allowedHosts = [] } = flags;
      const url = await cli.address(flags);
      const server = await serveHttp({ url, version, host, port, allowedHosts, onNotice }).catch(
        (error: NodeJS.ErrnoException) => {
          throw new CommandError(`Port ${port} on ${host} can't be used (${error.code ?? error.message}).`, {
            suggestion: 'Choose another one with --port; 0 takes a free one.',
          });
        },
      );
      onNotice(`Serving the tools of ${url} at ${server.url}.`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      await server.close();
    });
}
