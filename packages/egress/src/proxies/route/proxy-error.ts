import { AppError } from '@gleaner/contracts';
import { codeOf } from '../../errors.ts';

/** Cause of a failed tunnel: the proxy, or perhaps the requested target. */
export type Blame = 'proxy' | 'perhaps the target';

interface ErrorKind {
  /** Predicate of a sentence that begins with "A proxy of "us"". */
  readonly problem: string;
  readonly blame: Blame;
  readonly suggestion?: string;
}

/** Explanations of failed tunnels, for callers. */
const ERROR_KINDS = {
  PROXY_UNREACHABLE: { problem: 'cannot be reached', blame: 'proxy' },
  PROXY_REFUSED_BY_POLICY: {
    problem: 'leads to a private network, which is not allowed',
    blame: 'proxy',
    suggestion:
      'Choose another country. If this service is yours, add the host and port of the proxy to EGRESS_ALLOW.',
  },
  PROXY_TLS: { problem: 'could not be reached over TLS', blame: 'proxy' },
  PROXY_CREDENTIALS: {
    problem: 'rejected its configured credentials',
    blame: 'proxy',
    suggestion:
      'Choose another country. If this service is yours, correct its user name and password in PROXIES or PROXIES_FILE.',
  },
  PROXY_PROTOCOL: { problem: 'sent a response that is not its protocol', blame: 'proxy' },
  PROXY_CLOSED: { problem: 'closed the connection without a response', blame: 'perhaps the target' },
  PROXY_SILENT: { problem: 'did not respond in time', blame: 'perhaps the target' },
  PROXY_REFUSED: {
    problem: 'refused to connect to the site',
    blame: 'perhaps the target',
    suggestion:
      'Choose another country. If this service is yours, the proxy must allow CONNECT to the port of the site, for plain http too.',
  },
  PROXY_NO_CONNECTION: { problem: 'could not connect to the site', blame: 'perhaps the target' },
} as const satisfies Readonly<Record<string, ErrorKind>>;

/** Kinds of proxy errors, also used as codes of their causes. */
export type ProxyErrorKind = keyof typeof ERROR_KINDS;

/** Parts of a proxy's error; `detail` is a status or a code, never its address. */
export interface ProxyErrorParts {
  readonly kind: ProxyErrorKind;
  readonly country: string;
  readonly detail?: string;
}

/** Creates a PROXY_ERROR whose message and cause contain neither the proxy's address nor its credentials. */
export function proxyError({ kind, country, detail = '' }: ProxyErrorParts): AppError {
  const { problem, suggestion }: ErrorKind = ERROR_KINDS[kind];
  return new AppError('PROXY_ERROR', {
    message: `A proxy of "${country}" ${problem}${detail === '' ? '' : ` (${detail})`}.`,
    ...(suggestion && { suggestion }),
    cause: Object.assign(new Error(problem), { code: kind }),
  });
}

/** Returns the cause of a PROXY_ERROR; undefined for every other error. */
export function blameOf(error: unknown): Blame | undefined {
  if (!(error instanceof AppError) || error.code !== 'PROXY_ERROR') return undefined;
  const kind = codeOf(error.cause);
  return kind in ERROR_KINDS ? ERROR_KINDS[kind as ProxyErrorKind].blame : 'proxy';
}
