import {
  BROWSER_FAULTS,
  EXACT_KILLS,
  type Fault,
  KILLS,
  LONG_OUTAGE,
  MESSAGE_FAULTS,
  NETWORK_FAULTS,
  OUTAGES,
  PAUSES,
} from '../faults.ts';
import type { PageKind } from '../job-client.ts';

/** Faults that are injected and checked together. */
export interface Scenario {
  readonly faults: Readonly<Record<string, Fault>>;
  readonly order: 'in turn' | 'at random';
  /** Engine of its pages: fetched, or rendered by browsers. */
  readonly pages: PageKind;
  /** Share of the faults and URLs of a run. */
  readonly share: number;
}

const EVERYTHING = { ...KILLS, ...OUTAGES, ...NETWORK_FAULTS, ...PAUSES, ...MESSAGE_FAULTS };

/** Scenarios by name, in the order of a run. */
export const SCENARIOS = {
  'each process is killed in turn': { faults: KILLS, order: 'in turn', pages: 'plain', share: 15 },
  'processes are killed at exact points': {
    faults: EXACT_KILLS,
    order: 'in turn',
    pages: 'plain',
    share: 20,
  },
  'broker and database go down': { faults: OUTAGES, order: 'in turn', pages: 'plain', share: 10 },
  'the network fails': { faults: NETWORK_FAULTS, order: 'in turn', pages: 'plain', share: 12 },
  'workers pause, messages come twice, queues are full': {
    faults: { ...PAUSES, ...MESSAGE_FAULTS },
    order: 'in turn',
    pages: 'plain',
    share: 10,
  },
  'the database is away for long': { faults: LONG_OUTAGE, order: 'in turn', pages: 'plain', share: 1 },
  'browsers die over their pages': { faults: BROWSER_FAULTS, order: 'in turn', pages: 'rendered', share: 5 },
  'everything at random': {
    faults: { ...EVERYTHING, ...EXACT_KILLS },
    order: 'at random',
    pages: 'plain',
    share: 32,
  },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof SCENARIOS;

/** Divides a total by shares into integers that add up to it. */
export function divide(total: number, shares: readonly number[]): number[] {
  const sum = shares.reduce((all, share) => all + share, 0);
  let given = 0;
  let counted = 0;
  return shares.map((share) => {
    counted += share;
    const part = Math.round((total * counted) / sum) - given;
    given += part;
    return part;
  });
}
