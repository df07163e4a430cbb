import { type AccountMonth, monthOf } from './account-month.ts';
import type { UsageMonthDocument } from './usage-month-model.ts';
import { CHECK_AFTER_MS, COUNT_AFTER_MS, DAY_MS, PACE_MS } from './usage-times.ts';

/** How far a month is counted. */
type Progress = Pick<UsageMonthDocument, 'countedTo' | 'checkedTo'>;

interface Noted {
  readonly month: AccountMonth;
  /** The newest charge that was heard of. */
  readonly lastAt: Date;
  readonly progress: Progress | undefined;
}

/** The months that this process has charged to, or was asked for, and that are not wholly counted yet. */
export class ChargedMonths {
  readonly #noted = new Map<string, Noted>();

  /** Has the month of a charge counted, up to that charge at least. */
  note(accountId: string, at: Date): void {
    const month = monthOf(accountId, at);
    const known = this.#noted.get(month.id);
    if (!known || known.lastAt < at)
      this.#noted.set(month.id, { month, lastAt: at, progress: known?.progress });
  }

  /** Those in which something is to be counted. */
  due(now: Date): AccountMonth[] {
    return [...this.#noted.values()]
      .filter((noted) => dueMs(noted) <= now.getTime())
      .map(({ month }) => month);
  }

  /** Takes note of how far a month is; one whose charges are all checked is forgotten. */
  learn(month: AccountMonth, progress: Progress): void {
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
