import type { Socket } from 'node:net';
import type { StageClock } from './stage-clock.ts';

/** The remote end of a connection: a host name or an address without brackets, and its port. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Signal and clock of the fetch that a route serves. */
export interface RouteContext {
  readonly signal: AbortSignal;
  readonly clock: StageClock;
}

/**
 * Opens a connection to a target, directly or through a proxy. Returns a connected socket whose remote end is the target;
 * the caller speaks TLS and HTTP over it. Rejects with an AppError or node's socket errors.
 */
export type Route = (target: Target, context: RouteContext) => Promise<Socket>;
