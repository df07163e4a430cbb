import { once } from 'node:events';
import { connect } from 'node:net';
import { compileSchema, type ErrorEnvelope, ErrorEnvelopeSchema } from '@gleaner/contracts';

const checkEnvelope = compileSchema(ErrorEnvelopeSchema);

/** Bytes that a connection received until the server closed it. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** Error of the last response; throws without one. */
  readonly error: ErrorEnvelope['error'];
}

/** Sends bytes as they are, one part after the other, and reads until the server closes the connection. */
export async function sendRaw(port: number, ...parts: (string | Buffer)[]): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  // A server that closes while we still send resets the connection; bytes received before still count.
  socket.on('error', () => {});
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  for (const part of parts) socket.write(part);
  await closed;
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]),
    text,
    get error() {
      const checked = checkEnvelope(JSON.parse(text.slice(text.lastIndexOf('\r\n\r\n') + 4)));
      if (!checked.ok) throw new Error(`Not an error envelope: ${text}`);
      return checked.value.error;
    },
  };
}
