import { createServer } from 'node:http';
import { ENCODING_CASES } from './cases.ts';

/** Server that has every case at its name. */
export interface CaseServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts the server on a free port of loopback. */
export async function startCaseServer(): Promise<CaseServer> {
  const cases = new Map(ENCODING_CASES.map((each) => [`/${each.name}`, each]));
  const server = createServer((request, response) => {
    const found = cases.get(request.url ?? '');
    if (!found) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': found.contentType }).end(found.bytes);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port.');
  return {
    port: address.port,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
