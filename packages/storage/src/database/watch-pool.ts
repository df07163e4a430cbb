import type { Connection } from 'mongoose';

/** What a pool of connections looks like from outside. */
export interface PoolWatch {
  /** For how long the connection that was lent longest ago has been out, in milliseconds. */
  longestLoanMs(): number;
}

/** Notes which connections of a client's pool are lent to operations; ends with the client. */
export function watchPool(connection: Connection): PoolWatch {
  const lentAtMs = new Map<string, number>();
  const client = connection.getClient();
  client.on('connectionCheckedOut', ({ connectionId }) =>
    lentAtMs.set(String(connectionId), performance.now()),
  );
  client.on('connectionCheckedIn', ({ connectionId }) => lentAtMs.delete(String(connectionId)));
  return {
    longestLoanMs() {
      const [oldest] = lentAtMs.values();
      return oldest === undefined ? 0 : performance.now() - oldest;
    },
  };
}
