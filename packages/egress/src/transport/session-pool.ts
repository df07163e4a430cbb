import { type ClientHttp2Session, connect } from 'node:http2';
import type { TLSSocket } from 'node:tls';

/** A place on an HTTP/2 session, for one request. */
export interface SessionLease {
  readonly session: ClientHttp2Session;
  /** Returns the place. A session on which a request failed accepts no more requests. */
  release(outcome: 'completed' | 'failed'): void;
}

/** Keeps HTTP/2 sessions (RFC 9113) per origin for the next request. */
export interface SessionPool {
  /** Leases a place on an open session; undefined when there is none. */
  lease(origin: string): SessionLease | undefined;
  /** Starts a session over a socket that negotiated `h2`, and leases its first place. */
  start(origin: string, socket: TLSSocket): SessionLease;
  close(): void;
}

interface PooledSession {
  readonly origin: string;
  readonly session: ClientHttp2Session;
  streams: number;
  isRetired: boolean;
  idleTimer: NodeJS.Timeout | undefined;
}

const IDLE_TIMEOUT_MS = 5_000;
const MAX_SESSIONS = 256;
const MAX_STREAMS = 100;
const STREAM_WINDOW_BYTES = 1_048_576;
const SESSION_WINDOW_BYTES = 4_194_304;
/** Overhead of a header field (RFC 9113 section 6.5.2). */
const FIELD_OVERHEAD_BYTES = 32;
/**
 * Above our own limit, because node's rejection cannot be told from a reset by the server. Holds MAX_HEADER_BYTES even of
 * the shortest fields.
 */
const MAX_HEADER_LIST_BYTES = 1_048_576;

/** Creates an empty pool; idle sessions close after a while, and beyond its bound the oldest accepts no new requests. */
export function createSessionPool(): SessionPool {
  const sessions = new Set<PooledSession>();

  function start(origin: string, socket: TLSSocket): SessionLease {
    const session = connect(origin, {
      createConnection: () => socket,
      settings: {
        enablePush: false,
        initialWindowSize: STREAM_WINDOW_BYTES,
        maxHeaderListSize: MAX_HEADER_LIST_BYTES,
      },
      maxHeaderListPairs: MAX_HEADER_LIST_BYTES / FIELD_OVERHEAD_BYTES,
    });
    const pooled: PooledSession = { origin, session, streams: 0, isRetired: false, idleTimer: undefined };
    session.once('connect', () => session.setLocalWindowSize(SESSION_WINDOW_BYTES));
    // The requests of a broken session fail with its error; this only keeps it from being thrown.
    session.on('error', () => retire(pooled));
    session.once('goaway', () => retire(pooled));
    session.once('close', () => retire(pooled));
    sessions.add(pooled);
    const [oldest] = sessions;
    if (oldest && sessions.size > MAX_SESSIONS) retire(oldest);
    return occupy(pooled);
  }

  function lease(origin: string): SessionLease | undefined {
    const pooled = sessions.values().find((candidate) => candidate.origin === origin && hasRoom(candidate));
    return pooled && occupy(pooled);
  }

  function occupy(pooled: PooledSession): SessionLease {
    clearTimeout(pooled.idleTimer);
    pooled.streams += 1;
    let isReleased = false;
    return {
      session: pooled.session,
      release(outcome) {
        if (isReleased) return;
        isReleased = true;
        pooled.streams -= 1;
        if (outcome === 'failed') retire(pooled);
        else if (pooled.streams === 0) closeWhenIdle(pooled);
      },
    };
  }

  function closeWhenIdle(pooled: PooledSession): void {
    pooled.idleTimer = setTimeout(() => retire(pooled), pooled.isRetired ? 0 : IDLE_TIMEOUT_MS).unref();
  }

  function retire(pooled: PooledSession): void {
    clearTimeout(pooled.idleTimer);
    sessions.delete(pooled);
    pooled.isRetired = true;
    if (pooled.streams === 0) pooled.session.destroy();
    else if (!pooled.session.closed) pooled.session.close();
  }

  return {
    lease,
    start,
    close() {
      for (const { session, idleTimer } of sessions) {
        clearTimeout(idleTimer);
        session.destroy();
      }
      sessions.clear();
    },
  };
}

function hasRoom({ session, streams }: PooledSession): boolean {
  if (session.closed || session.destroyed) return false;
  const { maxConcurrentStreams = MAX_STREAMS } = session.connecting ? {} : session.remoteSettings;
  return streams < Math.min(maxConcurrentStreams, MAX_STREAMS);
}
