import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A reply of the mailbox to the recipients or to the message. */
interface Reply {
  readonly code: number;
  readonly text: string;
}

/** A mail server. */
export interface Mailbox extends AsyncDisposable {
  readonly url: string;
  readonly mails: readonly string[];
  /** Answers the next messages so; `stall` does not answer. */
  script(...replies: (Reply | 'stall')[]): void;
}

/** Starts a mail server on loopback. */
export async function startMailbox(): Promise<Mailbox> {
  const mails: string[] = [];
  const replies: (Reply | 'stall')[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    // The name of the client does not matter, and a look-up may take seconds.
    disableReverseLookup: true,
    onData(stream, _session, callback) {
      void text(stream).then((mail) => {
        const reply = replies.shift();
        if (reply === 'stall') return;
        if (reply) return callback(Object.assign(new Error(reply.text), { responseCode: reply.code }));
        mails.push(mail);
        callback();
      });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    script: (...next) => void replies.push(...next),
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
