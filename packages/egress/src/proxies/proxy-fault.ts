import { AppError } from '@gleaner/contracts';
import { codeOf } from '../errors/code-of.ts';

/** Whose fault it is that there is no tunnel: the proxy's, or perhaps that of the target that was asked for. */
export type Blame = 'proxy' | 'perhaps the target';

interface FaultKind {
  /** Follows "A proxy of "us"". */
  readonly says: string;
  readonly blame: Blame;
  readonly suggestion?: string;
}

/** What goes wrong on the way to a tunnel, in the caller's words. */
const FAULT_KINDS = {
  PROXY_UNREACHABLE: { says: 'cannot be reached', blame: 'proxy' },
  PROXY_REFUSED_BY_POLICY: {
    says: 'leads to a private network, which requests do not go to',
    blame: 'proxy',
    suggestion:
      'Choose another country. If this service is yours, EGRESS_ALLOW can open the host and port of the proxy.',
  },
  PROXY_TLS: { says: 'could not be spoken to over TLS', blame: 'proxy' },
  PROXY_CREDENTIALS: {
    says: 'did not accept the credentials that it is configured with',
    blame: 'proxy',
    suggestion:
      'Choose another country. If this service is yours, correct its user name and password in PROXIES or PROXIES_FILE.',
  },
  PROXY_PROTOCOL: { says: 'answered with something that is not its protocol', blame: 'proxy' },
  PROXY_CLOSED: { says: 'closed the connection in place of an answer', blame: 'perhaps the target' },
  PROXY_SILENT: { says: 'did not answer in time', blame: 'perhaps the target' },
  PROXY_REFUSED: {
    says: 'refused to connect to the site',
    blame: 'perhaps the target',
    suggestion:
      'Choose another country. If this service is yours, the proxy must allow CONNECT to the port of the site, for plain http too.',
  },
  PROXY_NO_CONNECTION: { says: 'could not connect to the site', blame: 'perhaps the target' },
} as const satisfies Readonly<Record<string, FaultKind>>;

/** The kinds of faults, also the codes of their causes. */
export type ProxyFaultKind = keyof typeof FAULT_KINDS;

/** Something that went wrong with a proxy; `detail` is a status or a code, never its address. */
export interface ProxyFault {
  readonly kind: ProxyFaultKind;
  readonly country: string;
  readonly detail?: string;
}

/** PROXY_ERROR in words that name neither the proxy's address nor its credentials; nor does its cause. */
export function proxyError({ kind, country, detail = '' }: ProxyFault): AppError {
  const { says, suggestion }: FaultKind = FAULT_KINDS[kind];
  return new AppError('PROXY_ERROR', {
    message: `A proxy of "${country}" ${says}${detail === '' ? '' : ` (${detail})`}.`,
    ...(suggestion && { suggestion }),
    cause: Object.assign(new Error(says), { code: kind }),
  });
}

/** Whose fault a PROXY_ERROR is; undefined for every other error. */
export function blameOf(error: unknown): Blame | undefined {
  if (!(error instanceof AppError) || error.code !== 'PROXY_ERROR') return undefined;
  const kind = codeOf(error.cause);
  return kind in FAULT_KINDS ? FAULT_KINDS[kind as ProxyFaultKind].blame : 'proxy';
}
