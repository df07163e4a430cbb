import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import type { Broker } from '@gleaner/broker';
import { type InstanceFacts, untilAborted } from '@gleaner/contracts';
import type { Logger } from '../logger/create-logger.ts';
import { repeatAtIntervals } from './repeat-at-intervals.ts';

/** Collaborators of the heartbeats. */
export interface HeartbeatDeps {
  readonly broker: Pick<Broker, 'broadcast'>;
  readonly logger: Logger;
  readonly service: string;
  /** Name of this replica; by default the host name and process ID. */
  readonly instance: string | undefined;
  /** Returns the facts that the process reports. */
  readonly facts: () => InstanceFacts;
}

/** A process without a heartbeat for several of these is forgotten. */
const INTERVAL_MS = 10_000;
const LAST_WITHIN_MS = 1000;

/**
 * Sends a heartbeat to the gateways every few seconds. Returns a function that stops them and sends the last one; it
 * never rejects, and takes a second at most.
 */
export function startHeartbeats(deps: HeartbeatDeps): () => Promise<void> {
  const { broker, logger, service, instance, facts } = deps;
  const identity = {
    id: randomUUID(),
    ...{ service, name: instance ?? `${hostname()}-${process.pid}`, version: ownVersion() },
    startedAt: new Date(Date.now() - process.uptime() * 1000).toISOString(),
  };
  const send = (isLast: boolean, signal: AbortSignal) =>
    untilAborted(broker.broadcast('heartbeats', { ...identity, facts: facts(), isLast }), signal);
  const stop = repeatAtIntervals(
    async (signal) => {
      await send(false, signal);
    },
    { intervalMs: INTERVAL_MS, logger, onFailure: 'A heartbeat was not sent; the next one follows.' },
  );
  return async () => {
    await stop();
    await send(true, AbortSignal.timeout(LAST_WITHIN_MS)).catch((err: unknown) => {
      logger.debug({ err }, 'The last heartbeat was not sent; the process is forgotten within a minute.');
    });
  };
}

function ownVersion(): string {
  const manifest: { version: string } = createRequire(import.meta.url)('../../package.json');
  return manifest.version;
}
