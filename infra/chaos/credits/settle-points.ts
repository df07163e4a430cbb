import type { Backend } from '../stack/links.ts';
import type { WireEvent } from '../wire/wire-event.ts';

/** A line of the protocol at which a gateway dies in a scrape, and what the scrape has cost in the end. */
export interface SettlePoint {
  /** What becomes of the scrape; the credits of one that fails are released. */
  readonly page: 'found' | 'missing';
  readonly link: Backend;
  readonly event: WireEvent;
  /** How many such lines the scrape lets pass before. */
  readonly skipped: number;
  readonly used: 0 | 1;
}

/** Every step of a charge, each not done yet, or done and not known to be. */
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

/** The gateway dies, and this never leaves it. */
function sends(link: Backend, name: string, subject: string) {
  return { page: 'found', link, event: { from: 'client', name, subject }, skipped: 0 } as const;
}

/** It has been done, and the gateway dies before it hears so. */
function hears(link: Backend, name: string, subject: string) {
  return { page: 'found', link, event: { from: 'server', name, subject }, skipped: 0 } as const;
}
