import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { parseArgs } from 'node:util';
import { AppError } from '@gleaner/contracts';
import { createEgressPolicy, createHttpClient } from '../../src/index.ts';
import { createDirectRoute } from '../../src/route/create-direct-route.ts';
import { createLookup } from '../../src/route/create-lookup.ts';

/** Results for one address: codes of an AppError, or the status of a page. */
export interface ProbedAddress {
  readonly address: string;
  /** True when a plain socket reached a server there. */
  readonly isAnswering: boolean;
  readonly asLiteral: string;
  readonly asName: string;
  readonly asRedirect: string;
  /** The same literal with its address opened. */
  readonly opened: string;
  /** Connections that the server accepted while the policy forbade them. */
  readonly connectionsWhileRefused: number;
}

const never = new AbortController().signal;

/** Runs inside a namespace where every address is local: fetches each address in every way and prints the results. */
async function probe(addresses: readonly string[]): Promise<ProbedAddress[]> {
  let connectionCount = 0;
  const server = createServer((request, response) => {
    const to = new URL(request.url ?? '/', 'http://server').searchParams.get('to');
    response.writeHead(to ? 302 : 200, to ? { location: to } : {}).end('reached');
  }).on('connection', () => {
    connectionCount += 1;
  });
  server.listen(0, '::');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const results: ProbedAddress[] = [];

  for (const address of addresses) {
    const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/`;
    const isAnswering = await reaches(address, port);
    const before = connectionCount;
    const asLiteral = await fetchCode(url, []);
    const asName = await fetchCode(`http://name.example:${port}/`, [], address);
    const refusedBy = connectionCount - before;
    const springboard = `http://192.0.2.1:${port}/?to=${encodeURIComponent(url)}`;
    const beforeRedirect = connectionCount;
    const asRedirect = await fetchCode(springboard, ['192.0.2.1']);
    const viaRedirect = connectionCount - beforeRedirect - 1;
    const opened = await fetchCode(url, [address]);
    results.push({
      address,
      isAnswering,
      asLiteral,
      asName,
      asRedirect,
      opened,
      connectionsWhileRefused: refusedBy + viaRedirect,
    });
  }
  server.close();
  server.closeAllConnections();
  return results;
}

/** Returns the status of the page or the code of the error; every name resolves to `resolvesTo`. */
async function fetchCode(url: string, allow: string[], resolvesTo = '192.0.2.2'): Promise<string> {
  const policy = createEgressPolicy({ allow });
  const family = resolvesTo.includes(':') ? 6 : 4;
  const lookup = createLookup({
    policy,
    resolver: async () => [{ address: resolvesTo, family, ttlSeconds: 0 }],
  });
  const client = createHttpClient({ policy, route: createDirectRoute({ policy, lookup }) });
  try {
    return String((await client.fetchPage({ url, deadlineMs: Date.now() + 240_000 }, never)).statusCode);
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  } finally {
    client.close();
  }
}

async function reaches(address: string, port: number): Promise<boolean> {
  const socket = connect({ host: address, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(240_000) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const { positionals } = parseArgs({ allowPositionals: true });
process.stdout.write(JSON.stringify(await probe(positionals)));
