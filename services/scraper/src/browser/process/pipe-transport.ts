import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer-core';

/**
 * Creates the transport for Chromium's debugging pipe (--remote-debugging-pipe): JSON messages separated by NUL. Chromium
 * exits when the pipe closes, as it does when this process ends for any reason.
 */
export function createPipeTransport(toChromium: Writable, fromChromium: Readable): ConnectionTransport {
  const transport: ConnectionTransport = {
    send: (message) => void toChromium.write(`${message}\0`),
    close() {
      toChromium.destroy();
      fromChromium.destroy();
    },
  };
  let parts: Buffer[] = [];
  fromChromium.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const message = Buffer.concat([...parts, chunk.subarray(start, end)]).toString();
      parts = [];
      start = end + 1;
      transport.onmessage?.(message);
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
  fromChromium.on('close', () => transport.onclose?.());
  for (const stream of [toChromium, fromChromium]) stream.on('error', () => transport.close());
  return transport;
}
