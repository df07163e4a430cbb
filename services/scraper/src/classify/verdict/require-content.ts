import {
  AppError,
  defined,
  describeVerdict,
  type ErrorCode,
  type Failure,
  type PackedPage,
  type PageKind,
  type Verdict,
} from '@gleaner/contracts';

/** Errors by the observed kind of page. */
const ERRORS: Readonly<Partial<Record<PageKind, ErrorCode>>> = {
  wall: 'BLOCKED',
  login: 'LOGIN_REQUIRED',
  notFound: 'NOT_FOUND',
  shell: 'RENDER_NEEDED',
};

/** A request, and what the target answered it with. */
interface Asked {
  readonly onSuspect?: 'keep' | 'fail';
  readonly statusCode?: number;
  /** Error about required fields that the page lacks. */
  readonly missing: Failure | undefined;
  /** The page, if it is to be kept. */
  readonly packed?: PackedPage | undefined;
}

/** Error of a page that lacks required fields. */
export class LackingPage extends AppError {
  /** The page, if it is to be kept. */
  readonly packed: PackedPage | undefined;

  constructor({ code, ...failure }: Failure, packed: PackedPage | undefined) {
    super(code, failure);
    this.packed = packed;
  }
}

/**
 * Throws for a page that was observed to be something else, if the request wants such pages to fail, never for a guess; and for a
 * page that lacks required fields.
 */
export function requireContent(verdict: Verdict, { onSuspect, statusCode, missing, packed }: Asked): void {
  const code = ERRORS[verdict.page];
  const page = {
    verdict: verdict.page,
    ...defined({ targetStatusCode: statusCode }),
  };
  if (onSuspect === 'fail' && verdict.basis === 'observed' && code !== undefined)
    throw new AppError(code, { message: describeVerdict(verdict), ...page });
  if (missing) throw new LackingPage({ ...missing, ...page }, packed);
}
