import { promises as dns } from 'node:dns';

/** One address record; `ttlSeconds` tells how long it may be cached. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
  readonly ttlSeconds: number;
}

/** Resolves all addresses of a name. Rejects with node's DNS error codes (`ENOTFOUND`, `ETIMEOUT` …). */
export type Resolver = (host: string) => Promise<ResolvedAddress[]>;

const QUERY_TIMEOUT_MS = 1_500;
const QUERY_TRIES = 2;
const NO_RECORDS: ReadonlySet<unknown> = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * Creates a resolver that asks the machine's name servers by DNS only, for A and AAAA together. It takes no thread of the
 * pool, so that names whose servers stall do not delay others.
 */
export function createDnsResolver(): Resolver {
  const resolver = new dns.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  return async (host) => {
    const answers = await Promise.allSettled([
      resolver.resolve4(host, { ttl: true }).then((records) => withFamily(records, 4)),
      resolver.resolve6(host, { ttl: true }).then((records) => withFamily(records, 6)),
    ]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    throw reasons.find((reason) => !NO_RECORDS.has(reason?.code)) ?? reasons[0] ?? noRecords();
  };
}

/** Creates a resolver that uses the hosts file and search domains too, for names that the operator opened. */
export function createSystemResolver(): Resolver {
  return async (host) => {
    const records = await dns.lookup(host, { all: true, order: 'ipv4first' });
    return records.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4, ttlSeconds: 0 }));
  };
}

function withFamily(records: { address: string; ttl: number }[], family: 4 | 6): ResolvedAddress[] {
  return records.map(({ address, ttl }) => ({ address, family, ttlSeconds: ttl }));
}

function noRecords(): Error {
  return Object.assign(new Error('no addresses'), { code: 'ENODATA' });
}
