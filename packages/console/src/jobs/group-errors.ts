/** A page that failed. */
export interface FailedPage {
  /** Position in the job. */
  readonly index?: number | undefined;
  readonly url: string;
  readonly error: { readonly code: string; readonly message: string };
}

/** Failed pages of one host with one code. */
export interface ErrorGroup {
  readonly code: string;
  readonly host: string;
  readonly count: number;
  /** The message of the first of them. */
  readonly message: string;
  readonly pages: readonly FailedPage[];
}

/** Groups failed pages by code and host, the largest group first. */
export function groupErrors(pages: readonly FailedPage[]): ErrorGroup[] {
  const groups = Map.groupBy(pages, ({ url, error }) => `${error.code} ${hostOf(url)}`);
  return [...groups.values()]
    .map((members) => ({
      code: members[0]?.error.code ?? '',
      host: hostOf(members[0]?.url ?? ''),
      count: members.length,
      message: members[0]?.error.message ?? '',
      pages: members,
    }))
    .sort((a, b) => b.count - a.count);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
