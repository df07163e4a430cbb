import { MAX_MESSAGE_BYTES } from '../wire/frames.ts';
import { MAX_DOCUMENT_BYTES } from '../writes/insert-document.ts';
import type { Command } from './command.ts';

/** The wire version of MongoDB 8.0, which is reproduced. */
const WIRE_VERSION = 25;

/** https://www.mongodb.com/docs/manual/reference/command/hello/: a standalone; the metadata of drivers is not checked. */
export const hello: Command = makeHello('isWritablePrimary');

/** The name of `hello` before 5.0; drivers open with it. */
export const isMaster: Command = makeHello('ismaster');

function makeHello(primaryField: string): Command {
  return {
    fields: 'any',
    run: (command, { connectionId, state }) => ({
      [primaryField]: true,
      ...(command.helloOk !== undefined && { helloOk: true }),
      maxBsonObjectSize: MAX_DOCUMENT_BYTES,
      maxMessageSizeBytes: MAX_MESSAGE_BYTES,
      maxWriteBatchSize: 100_000,
      localTime: state.clock(),
      logicalSessionTimeoutMinutes: 30,
      connectionId,
      minWireVersion: 0,
      maxWireVersion: WIRE_VERSION,
      readOnly: false,
    }),
  };
}

export const ping: Command = { fields: [], run: () => ({}) };

/** Sessions are accepted; with neither transactions nor retryable writes there is nothing to keep for them. */
export const endSessions: Command = { fields: [], run: () => ({}) };
