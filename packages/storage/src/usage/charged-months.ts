import type { UsageMonthDocument } from './usage-month.ts';
import {
  type AccountMonth,
  CHECK_AFTER_MS,
  COUNT_AFTER_MS,
  DAY_MS,
  monthOf,
  PACE_MS,
} from './usage-month.ts';

/** Times up to which a month is counted and checked. */
type Progress = Pick<UsageMonthDocument, 'countedTo' | 'checkedTo'>;

interface Noted {
  readonly month: AccountMonth;
  /** Time of the newest known charge. */
  readonly lastAt: Date;
  readonly progress: Progress | undefined;
}

/** Incompletely counted months that this process has charged to or was asked for. */
export class ChargedMonths {
  readonly #noted = new Map<string, Noted>();

  /** Adds the month of a charge, to be counted at least up to that charge. */
  noteCharge(accountId: string, at: Date): void {
    const month = monthOf(accountId, at);
    const known = this.#noted.get(month.id);
    if (!known || known.lastAt < at)
      this.#noted.set(month.id, { month, lastAt: at, progress: known?.progress });
  }

  /** Returns the months in which charges are due to be counted. */
  due(now: Date): AccountMonth[] {
    return [...this.#noted.values()]
      .filter((noted) => dueMs(noted) <= now.getTime())
      .map(({ month }) => month);
  }

  /** Records the progress of a month; removes it once all of its charges are checked. */
  recordProgress(month: AccountMonth, progress: Progress): void {
    const known = this.#noted.get(month.id);
    if (!known) return;
    if (progress.checkedTo > known.lastAt) this.#noted.delete(month.id);
    else this.#noted.set(month.id, { ...known, progress });
  }
}

function dueMs({ lastAt, progress }: Noted): number {
  if (!progress) return 0;
  const { countedTo, checkedTo } = progress;
  const isCounted = countedTo > lastAt;
  return isCounted
    ? checkedTo.getTime() + DAY_MS + CHECK_AFTER_MS
    : countedTo.getTime() + COUNT_AFTER_MS + PACE_MS;
}
