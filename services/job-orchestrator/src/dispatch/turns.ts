/** Jobs and accounts whose turns are remembered. */
const MAX_TURNS = 10_000;

/** Remembers in which order jobs and accounts were sent pages last. */
export class Turns {
  /** Longest ago first. */
  readonly #sent = new Map<string, number>();
  /** Places of jobs that were sent nothing yet. */
  readonly #admitted = new Map<string, number>();
  #count = 0;

  /** Returns the place of a job or account; 0 if it was sent nothing yet. */
  of(id: string): number {
    return this.#sent.get(id) ?? this.#admitted.get(id) ?? 0;
  }

  /** Notes that a job or account is sent a page, and returns its new place. */
  note(id: string): number {
    this.#admitted.delete(id);
    this.#count += 1;
    remember(this.#sent, id, this.#count);
    return this.#count;
  }

  /**
   * Gives new jobs of an account the place of its longest-waiting one: a new job waits for few others, and the others
   * keep their turns however many new ones come.
   */
  admit(jobIds: readonly string[]): void {
    const places = jobIds.flatMap((id) => this.#sent.get(id) ?? []);
    const first = places.reduce((least, place) => Math.min(least, place), this.#count);
    for (const id of jobIds)
      if (!this.#sent.has(id) && !this.#admitted.has(id)) remember(this.#admitted, id, first);
  }
}

function remember(places: Map<string, number>, id: string, place: number): void {
  places.delete(id);
  places.set(id, place);
  const [oldest] = places.keys();
  if (places.size > MAX_TURNS && oldest !== undefined) places.delete(oldest);
}
