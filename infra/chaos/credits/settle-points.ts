import type { Backend } from '../stack/links.ts';
import type { WireEvent } from '../wire/wire-event.ts';

/** A step of the protocol at which a gateway dies during a scrape, and the final cost of the scrape. */
export interface SettlePoint {
  /** Outcome of the scrape; a failed one releases its credits. */
  readonly page: 'found' | 'missing';
  readonly link: Backend;
  readonly event: WireEvent;
  /** Number of such steps that pass before. */
  readonly skipped: number;
  readonly used: 0 | 1;
}

/** Every step of a charge: not done yet, or done but not yet confirmed. */
export const SETTLE_POINTS: Readonly<Record<string, SettlePoint>> = {
  'credits are about to be reserved': { ...sends('database', 'update', 'accounts'), used: 0 },
  'credits are reserved': { ...hears('database', 'update', 'accounts'), used: 0 },
  'a worker is about to be asked': { ...sends('broker', 'publish', 'scrape.http'), used: 0 },
  'a worker has replied': { ...hears('broker', 'deliver', 'amq.rabbitmq.reply-to'), used: 0 },
  'a charge is about to be written': { ...sends('database', 'insert', 'charges'), used: 0 },
  'a charge is written': { ...hears('database', 'insert', 'charges'), used: 1 },
  'what was not charged is about to go back': {
    ...sends('database', 'update', 'accounts'),
    skipped: 1,
    used: 1,
  },
  'what was not charged has gone back': { ...hears('database', 'update', 'accounts'), skipped: 1, used: 1 },
  'a release is about to be written': {
    ...sends('database', 'insert', 'charges'),
    page: 'missing',
    used: 0,
  },
  'a release is written': { ...hears('database', 'insert', 'charges'), page: 'missing', used: 0 },
  'what was released is about to go back': {
    ...sends('database', 'update', 'accounts'),
    page: 'missing',
    skipped: 1,
    used: 0,
  },
};

/** The gateway dies before this leaves it. */
function sends(link: Backend, name: string, subject: string) {
  return { page: 'found', link, event: { from: 'client', name, subject }, skipped: 0 } as const;
}

/** The step is done, and the gateway dies before it receives the confirmation. */
function hears(link: Backend, name: string, subject: string) {
  return { page: 'found', link, event: { from: 'server', name, subject }, skipped: 0 } as const;
}
