/** The offer of a running shop, whose price its visitors move. */
export interface Offer {
  /** In pounds. */
  price: number;
}

/** A request for a page. */
export interface Visit {
  /** Absolute, under the name that the client used. */
  readonly url: URL;
  /** True for a form or JSON; its fields are those of `url`. */
  readonly isPosted: boolean;
  readonly offer: Offer;
  /** Values of the `:names` in the route's path. */
  readonly params: Readonly<Record<string, string>>;
}

/** A response of the shop. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** Day or time of the last change. */
  readonly changed?: string;
}

/** Returns a file as it is. */
export function file(type: string, body: string, changed?: string): Answer {
  return { status: 200, type, body, ...(changed !== undefined && { changed }) };
}

/** Returns the number of the list page that the visitor asks for. */
export function pageNumber({ url }: Visit): number {
  return Number(url.searchParams.get('page') ?? 1);
}
