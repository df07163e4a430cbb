import type { Socket } from 'node:net';
import type { StageClock } from '../fetch/stage-clock.ts';

/** The far end of a connection: a host name or an address without brackets, and its port. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** What a route works within. */
export interface RouteContext {
  readonly signal: AbortSignal;
  readonly clock: StageClock;
}

/**
 * A way from here to a target: straight, or through a proxy. Gives a connected stream whose far end is the target;
 * TLS and HTTP are spoken over it by the caller. Rejects with an AppError or node's socket errors.
 */
export type Route = (target: Target, context: RouteContext) => Promise<Socket>;
