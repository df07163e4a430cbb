import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Gleaner, GleanerError, verifyWebhook, type WebhookEvent } from '@gleaner/client';
import type { Command } from 'commander';
import type { Cli, GlobalOptions } from '../../cli.ts';
import { CommandError } from '../../exit-codes.ts';
import { parseCount } from '../../input/option-values.ts';
import { describeProgress } from '../job/columns.ts';

interface Flags extends GlobalOptions {
  readonly host: string;
  readonly port: number;
  readonly count?: number;
}

const DEFAULT_PORT = 8086;
/** More than the results that an event has inline. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** `gleaner webhook listen`: receives deliveries here, checks their signatures and prints their events. */
export function defineListen(command: Command, cli: Cli): void {
  command
    .option('--port <n>', 'port to listen on; 0 takes a free one', parseCount, DEFAULT_PORT)
    .option('--host <address>', 'address to listen on, which the service can reach', '127.0.0.1')
    .option('--count <n>', 'end after this many events', parseCount)
    .action(async (flags: Flags) => {
      const { output, gleaner, call } = await cli.open(flags);
      const { signal, terminal } = cli;
      const { secret } = await gleaner.webhooks.secret(call);
      const events: WebhookEvent[] = [];
      let wake = () => {};
      const server = createServer((request, response) => {
        receive(request, secret)
          .then((event) => {
            events.push(event);
            wake();
            response.writeHead(204).end();
          })
          .catch((error: Error) => {
            terminal.warn(` ${error.message}\n`, terminal.style('yellow', 'rejected:'));
            response.writeHead(error instanceof GleanerError ? 401 : 400, { connection: 'close' }).end();
          });
      });
      try {
        const url = await listen(server, flags);
        if (!flags.quiet) terminal.warn(`Listening on ${url}; give it as webhook. Ctrl-C ends.\n`);
        await tryOut(gleaner, url, cli);
        for (let left = flags.count ?? Number.POSITIVE_INFINITY; left > 0; left -= 1) {
          while (events.length === 0) {
            await new Promise<void>((resolve, reject) => {
              wake = resolve;
              signal.addEventListener('abort', () => reject(signal.reason), { once: true });
              if (signal.aborted) reject(signal.reason);
            });
          }
          const event = events.shift() as WebhookEvent;
          if (output.format === 'table') await output.sink.write(`${lineOf(event)}\n`);
          else await output.json(event);
        }
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });
}

async function listen(server: Server, { host, port }: Flags): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(`Port ${port} on ${host} can't be used (${code ?? message}).`, {
      suggestion: 'Choose another one with --port; 0 takes a free one.',
    });
  }
  const { port: actual } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${actual}/`;
}

/** Asks the service for a test event, and explains how to let it through when it is refused. */
async function tryOut(gleaner: Gleaner, url: string, { signal, terminal }: Cli): Promise<void> {
  try {
    const { status, attempts } = await gleaner.webhooks.test(url, { signal });
    if (status === 'delivered') return;
    terminal.warn(`The service cannot reach ${url}: ${attempts.at(-1)?.error ?? status}\n`);
  } catch (error) {
    if (!(error instanceof GleanerError && error.code === 'INVALID_URL')) throw error;
    const { host } = new URL(url);
    throw new CommandError(`The service may not call ${url}: private addresses are refused.`, {
      suggestion: `Start it with EGRESS_ALLOW=${host}, or listen on an address that it may call, with --host.`,
    });
  }
}

/** Returns the event of a delivery. Throws when it is too large or its signature does not fit. */
async function receive(request: IncomingMessage, secret: string): Promise<WebhookEvent> {
  if (request.method !== 'POST') throw new Error(`${request.method} is not how webhooks are sent.`);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('The delivery is too large.');
    chunks.push(chunk);
  }
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return await verifyWebhook(Buffer.concat(chunks), headers, secret);
}

function lineOf({ type, timestamp, data }: WebhookEvent): string {
  const job = 'job' in data ? data.job : undefined;
  const about = job && `${job.id} ${job.status} ${describeProgress(job)} ${job.name}`;
  return [timestamp, type, about].filter(Boolean).join('  ').replaceAll(/\s/g, ' ');
}
