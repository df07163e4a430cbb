/** One month (UTC) of one account. */
export interface AccountMonth {
  readonly id: string;
  readonly accountId: string;
  /** YYYY-MM. */
  readonly month: string;
  readonly start: Date;
  /** The first moment after it. */
  readonly end: Date;
}

/** The month that a moment is in. */
export function monthOf(accountId: string, moment: Date): AccountMonth {
  const month = moment.toISOString().slice(0, 7);
  const start = new Date(`${month}-01T00:00:00.000Z`);
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
  return { id: `${accountId}:${month}`, accountId, month, start, end };
}

/** The months that a period touches, from one moment (included) to another (not included), in order. */
export function monthsBetween(accountId: string, from: Date, to: Date): AccountMonth[] {
  const months: AccountMonth[] = [];
  for (let moment = from; moment < to; ) {
    const month = monthOf(accountId, moment);
    months.push(month);
    moment = month.end;
  }
  return months;
}
