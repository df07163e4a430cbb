import { once } from 'node:events';
import { connect } from 'node:net';
import { compileSchema, type ErrorEnvelope, ErrorEnvelopeSchema } from '@gleaner/contracts';

const checkEnvelope = compileSchema(ErrorEnvelopeSchema);

/** What a connection brought until the server ended it. */
export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** The envelope of the last answer; throws when there is none. */
  readonly error: ErrorEnvelope['error'];
}

/** Sends bytes as they are, one part after the other, and reads until the server closes the connection. */
export async function sendRaw(port: number, ...parts: (string | Buffer)[]): Promise<RawAnswer> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  // A server that closes while we still send resets the connection; what it said before counts.
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
