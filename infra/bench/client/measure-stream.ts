import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';

const COUNTS = [1, 10_000, 100_000];
const TEXT_CHARS = 4096;
const READER = join(import.meta.dirname, 'read-results-process.mjs');

/**
 * Prints the largest resident memory of a process that reads many results with this client, beside one that reads one,
 * and beside `fetch` alone: most of it is the platform's.
 */
export async function measureStream(client: string): Promise<void> {
  const server = createServer((request, response) => {
    const count = Number(/job_(\d+)/.exec(request.url ?? '')?.[1]);
    Readable.from(lines(count)).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const count of COUNTS) {
    for (const reader of [client, 'fetch']) {
      const args = [READER, reader, `http://127.0.0.1:${port}`, `job_${count}`];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      const { read, residentMiB, seconds } = JSON.parse(stdout) as Record<string, number>;
      const name = reader === client ? 'client' : 'fetch alone';
      console.log(
        `stream    ${String(read).padStart(6)} results: at most ${residentMiB} MiB resident, ${seconds} s  ${name}`,
      );
    }
  }
  server.close();
}

function* lines(count: number): Generator<string> {
  const text = 'x'.repeat(TEXT_CHARS);
  for (let index = 0; index < count; index += 1) {
    yield `${JSON.stringify({ url: `https://a.test/${index}`, data: { title: text }, metadata: { index } })}\n`;
  }
}
