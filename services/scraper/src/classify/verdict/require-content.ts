import { AppError, describeVerdict, type ErrorCode, type PageKind, type Verdict } from '@gleaner/contracts';

/** Errors of pages that were observed not to be what was asked for. */
const ERRORS: Readonly<Partial<Record<PageKind, ErrorCode>>> = {
  wall: 'BLOCKED',
  login: 'LOGIN_REQUIRED',
  notFound: 'NOT_FOUND',
  shell: 'RENDER_NEEDED',
};

/** A request, and the status that the target answered it with. */
interface Asked {
  readonly onSuspect?: 'keep' | 'fail';
  readonly statusCode: number;
}

/** Throws for a page that was observed to be something else, if the request wants such pages to fail; never for a guess. */
export function requireContent(verdict: Verdict, { onSuspect, statusCode }: Asked): void {
  const code = ERRORS[verdict.page];
  if (onSuspect !== 'fail' || verdict.basis !== 'observed' || code === undefined) return;
  throw new AppError(code, { message: describeVerdict(verdict), targetStatusCode: statusCode });
}
