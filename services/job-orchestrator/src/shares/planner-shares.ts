import { defined, type Engine } from '@gleaner/contracts';
import type { Stores } from '@gleaner/storage';
import { claimHold, type Limited, type PlannerPart, type SlotShare, slotShareOf } from './lane-shares.ts';

/** Place of one of several planners. */
export interface PlannerPlace {
  /** Counted from 0. */
  readonly planner: number;
  readonly planners: number;
}

/** Lanes of a planner in flight, and further ones that it could send. */
export interface PlannerDemand {
  readonly wants: PlannerPart['wants'];
  readonly limited: ReadonlyMap<string, Limited>;
  /** Jobs with a page on its last chance: the one in flight, and the sendable ones. */
  readonly lastChance: { readonly running: string | undefined; readonly waiting: readonly string[] };
  /** Returns the lanes of a job in flight, of any job. */
  lanesOf(jobId: string): number;
}

/** Name of the right to send pages that have lost a worker; one planner at a time has it. */
export const SUSPECTS = 'suspects';
const MAX_TRIES = 50;
/** Time after which the rest of a division goes to others. */
const TURN_MS = 3000;

/**
 * The lanes that one of several planners may have in flight. It tells the others what it wants by a document that they all
 * change from the version that they have read, and takes what then is its own. Between two calls of `sync` nothing changes.
 */
export class PlannerShares {
  readonly #stores: Pick<Stores, 'board' | 'clock'>;
  readonly #place: PlannerPlace;
  /** Parts of all planners as this one has read them last, its own included; empty before it has told its part. */
  #parts: readonly PlannerPart[] = [];
  #usable: ReadonlyMap<string, number> = new Map();
  #alone: string | undefined;
  #isAloneInFlight = false;
  #quiet: string | undefined;
  #slotShares = new Map<Engine, { readonly slots: number; readonly share: SlotShare }>();

  constructor(stores: Pick<Stores, 'board' | 'clock'>, place: PlannerPlace) {
    this.#stores = stores;
    this.#place = place;
  }

  /** Tells the other planners what this one wants; throws if it is unknown whether they heard it: then nothing may be sent. */
  async sync(demand: PlannerDemand): Promise<void> {
    const { board } = this.#stores;
    const { planner, planners } = this.#place;
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const { version, parts } = await board.readBoard(planners);
      const next = this.#nextOf(parts.map(parsePart), demand);
      const part = JSON.stringify(next.part);
      const written = await board.writePart({ planners, planner, version, part });
      if (!written) continue;
      this.#parts = written.parts.map((each) => parsePart(each) ?? NOTHING);
      this.#usable = next.usable;
      this.#quiet = next.quiet;
      this.#alone = next.part.alone;
      this.#isAloneInFlight = demand.lastChance.running !== undefined;
      this.#slotShares.clear();
      return;
    }
    throw new Error('The planners changed their document too often for this one to change it.');
  }

  /** Forgets everything: another process may be this planner now. */
  forget(): void {
    this.#parts = [];
    this.#usable = new Map();
    this.#alone = undefined;
    this.#isAloneInFlight = false;
    this.#quiet = undefined;
    this.#slotShares.clear();
  }

  /** Returns the most lanes of something limited that may be in flight here. */
  lanesOf(name: string): number {
    return this.#usable.get(name) ?? 0;
  }

  /** The job of which nothing is sent here: another planner sends a page of it alone. */
  get quietJobId(): string | undefined {
    return this.#quiet;
  }

  /** Returns whether every other planner has told that nothing of the job is in flight there. */
  isAlone(jobId: string): boolean {
    const others = this.#parts.filter((_, place) => place !== this.#place.planner);
    return this.#alone === jobId && others.every(({ quiet }) => quiet === jobId);
  }

  /** Returns the share of the slots of an engine. */
  slotsOf(engine: Engine, slots: number): SlotShare {
    const known = this.#slotShares.get(engine);
    if (known?.slots === slots) return known.share;
    const { planner } = this.#place;
    const share = slotShareOf({ parts: this.#parts, engine, slots, planner, turn: this.#turn });
    this.#slotShares.set(engine, { slots, share });
    return share;
  }

  get #turn(): number {
    return Math.floor(this.#stores.clock.nowMs() / TURN_MS) % this.#place.planners;
  }

  /** Returns the next part of this planner, and its rights once the part is written. */
  #nextOf(parts: readonly (PlannerPart | undefined)[], demand: PlannerDemand) {
    const { planner } = this.#place;
    const quiet = parts.find((part, place) => place !== planner && part?.alone !== undefined)?.alone;
    const isQuiet = quiet !== undefined && demand.lanesOf(quiet) === 0;
    const needs: Record<string, number> = {};
    const holds: Record<string, number> = {};
    const usable = new Map<string, number>();
    for (const [name, own] of demand.limited) {
      const claim = this.#claim(name, own, parts);
      // The right to send suspects is kept while the others fall quiet for one of them.
      const isKept = name === SUSPECTS && this.#isWaitingAlone(demand);
      const hold = isKept ? 1 : claim.hold;
      if (own.wanted > 0) needs[name] = own.wanted;
      if (hold > 0) holds[name] = hold;
      usable.set(name, isKept ? 1 : claim.usable);
    }
    const alone = this.#aloneOf(demand, (usable.get(SUSPECTS) ?? 0) > 0);
    const told = defined({ alone, quiet: isQuiet ? quiet : undefined });
    return { part: { wants: demand.wants, needs, holds, ...told }, usable, quiet };
  }

  #claim(name: string, own: Limited, parts: readonly (PlannerPart | undefined)[]) {
    const { planner } = this.#place;
    const isFirst = this.#parts.length === 0;
    return claimHold({
      ...own,
      needs: parts.map((part, place) => (place === planner ? own.wanted : (part?.needs[name] ?? 0))),
      // What another process held as this planner is in flight, or is given back.
      holds: parts.map((part, place) => (place === planner && isFirst ? 0 : (part?.holds[name] ?? 0))),
      planner,
      turn: this.#turn,
      isOpen: !isFirst && parts.every((part) => part !== undefined),
    });
  }

  /** Returns whether the page to go alone has not been sent yet, and could still be. */
  #isWaitingAlone({ lastChance: { running, waiting } }: PlannerDemand): boolean {
    const isInFlight = running !== undefined || this.#isAloneInFlight;
    return this.#alone !== undefined && !isInFlight && waiting.includes(this.#alone);
  }

  /** Returns the job of the page that is sent alone, or is next; it stays the same while its page waits. */
  #aloneOf({ lastChance: { running, waiting } }: PlannerDemand, maySend: boolean): string | undefined {
    if (running !== undefined) return running;
    const isSame = this.#alone !== undefined && waiting.includes(this.#alone);
    return maySend ? (isSame ? this.#alone : waiting[0]) : undefined;
  }
}

const NOTHING: PlannerPart = { wants: { http: {}, browser: {} }, needs: {}, holds: {} };

/** Returns the part of a planner; undefined of one that has told nothing yet. */
function parsePart(json: string): PlannerPart | undefined {
  return json === '' ? undefined : (JSON.parse(json) as PlannerPart);
}
