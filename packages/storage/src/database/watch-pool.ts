import type { Connection } from 'mongoose';

/** View of the loans of a connection pool. */
export interface PoolWatch {
  /** Returns for how long the connection that was lent first has been out, in milliseconds. */
  longestLoanMs(): number;
}

/** Tracks which connections of a client's pool are lent to operations, until the client closes. */
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
