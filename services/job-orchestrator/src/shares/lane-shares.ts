import type { Engine } from '@gleaner/contracts';

/** Numbers by name. */
export type Counts = Readonly<Record<string, number>>;

/** Demand of one of several planners, as it tells the others. */
export interface PlannerPart {
  /** Lanes of each account that are in flight here or could be, by engine. */
  readonly wants: Readonly<Record<Engine, Counts>>;
  /** Lanes wanted here of each thing with a limit over all planners, such as a job. */
  readonly needs: Counts;
  /** Lanes of the same that this planner may have in flight. */
  readonly holds: Counts;
  /** Job with a page to be sent alone: all planners leave the job alone. */
  readonly alone?: string;
  /** Job of another planner's page to be sent alone, of which nothing is in flight here, and nothing is sent. */
  readonly quiet?: string;
}

/** Lanes of the scrapers of one engine that a planner may have in flight. */
export interface SlotShare {
  readonly lanes: number;
  /** Returns the most that an account may have of them. */
  lanesOf(accountId: string): number;
}

/**
 * Divides a number equally, as far as each share is wanted. The rest of a division goes to the wants from `turn` on.
 */
export function divide(total: number, wants: readonly number[], turn = 0): number[] {
  const shares = wants.map(() => 0);
  const places = wants.map((_, place) => (place + turn) % wants.length);
  let open = places.filter((place) => (wants[place] ?? 0) > 0);
  for (let left = total; left > 0 && open.length > 0; ) {
    const each = Math.floor(left / open.length);
    const served = each > 0 ? open : open.slice(0, left);
    for (const place of served) {
      const share = shares[place] ?? 0;
      const given = Math.min(Math.max(each, 1), (wants[place] ?? 0) - share);
      shares[place] = share + given;
      left -= given;
    }
    open = open.filter((place) => (shares[place] ?? 0) < (wants[place] ?? 0));
  }
  return shares;
}

/** A division of the slots of an engine. */
export interface SlotDivision {
  readonly parts: readonly PlannerPart[];
  readonly engine: Engine;
  readonly slots: number;
  /** The planner that asks, counted from 0. */
  readonly planner: number;
  /** Changes from time to time, so that the rest of a division goes to others. */
  readonly turn: number;
}

/**
 * Returns a planner's share of slots: they are divided among accounts by what they want of all planners, and those of an
 * account among planners. Slots beyond all wants are for new work, as many for each planner.
 */
export function slotShareOf({ parts, engine, slots, planner, turn }: SlotDivision): SlotShare {
  const wants = parts.map((part) => new Map(Object.entries(part.wants[engine])));
  const accounts = [...new Set(wants.flatMap((ofPlanner) => [...ofPlanner.keys()]))].sort();
  const wantsOf = (account: string) => wants.map((ofPlanner) => ofPlanner.get(account) ?? 0);
  const totals = divide(
    slots,
    accounts.map((account) => sum(wantsOf(account))),
    turn,
  );
  const own = new Map(
    accounts.map((account, place) => [
      account,
      divide(totals[place] ?? 0, wantsOf(account), turn)[planner] ?? 0,
    ]),
  );
  const spare =
    divide(
      slots - sum(totals),
      parts.map(() => slots),
      turn,
    )[planner] ?? 0;
  return {
    lanes: sum([...own.values()]) + spare,
    lanesOf: (accountId) => (own.get(accountId) ?? 0) + spare,
  };
}

/** A thing with a limit over all planners, as one of them sees it. */
export interface Limited {
  readonly limit: number;
  /** Lanes in flight here, and lanes wanted, which include them. */
  readonly lanes: number;
  readonly wanted: number;
}

/** A claim of a planner to lanes of something limited. */
export interface HoldClaim extends Limited {
  /** The numbers of every planner, of this one as they are now. */
  readonly needs: readonly number[];
  readonly holds: readonly number[];
  readonly planner: number;
  readonly turn: number;
  /** Every planner has told what it has in flight. */
  readonly isOpen: boolean;
}

/**
 * Returns the number of lanes held by a planner from now on, and the usable part of them. It holds no fewer than are in
 * flight, and takes no more than keep the sum within the limit; what is above its share it gives back as lanes end.
 */
export function claimHold({ limit, lanes, needs, holds, planner, turn, isOpen }: HoldClaim) {
  const target = divide(limit, needs, turn)[planner] ?? 0;
  const kept = Math.max(lanes, Math.min(holds[planner] ?? 0, target));
  const free = limit - sum(holds) + (holds[planner] ?? 0);
  const hold = isOpen ? Math.max(kept, Math.min(target, free)) : kept;
  return { hold, usable: Math.min(hold, target) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
