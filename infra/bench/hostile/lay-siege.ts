/** Outcomes of the pages, with their counts. */
export type Outcomes = Record<string, Record<string, number>>;

/** Requests that continue until they are stopped. */
export interface Siege {
  /** Stops after the running requests. */
  end(): Promise<void>;
}

/** Scrapes the pages in turn, two at a time without a pause, and counts the outcomes. */
export function laySiege(
  paths: readonly string[],
  scrape: (path: string) => Promise<string>,
  outcomes: Outcomes,
): Siege {
  let isOver = false;
  const besiege = async () => {
    while (!isOver) {
      const path = leastAskedFor(paths, outcomes);
      count(outcomes, path, 'asked');
      count(outcomes, path, await scrape(path));
    }
  };
  const besiegers = [besiege(), besiege()];
  return {
    async end() {
      isOver = true;
      await Promise.all(besiegers);
    },
  };
}

function leastAskedFor(paths: readonly string[], outcomes: Outcomes): string {
  const asked = (path: string) => outcomes[path]?.asked ?? 0;
  return paths.reduce((least, path) => (asked(path) < asked(least) ? path : least));
}

function count(outcomes: Outcomes, path: string, what: string): void {
  const counts = outcomes[path] ?? {};
  outcomes[path] = { ...counts, [what]: (counts[what] ?? 0) + 1 };
}
