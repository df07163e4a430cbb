import { startSite } from '@gleaner/test-kit';
import { type Canary, VECTORS, type Vector } from './hostile-vectors.ts';

/** Site of the hostile pages, and of what they try to reach. */
export interface HostileSite extends AsyncDisposable {
  readonly origin: string;
  /** Returns the address of the page of a vector. Pages of different groups have canaries of their own. */
  pageOf(vector: Vector, group: Group): string;
  /** Returns the page itself. */
  sourceOf(vector: Vector, group: Group): string;
  /** Returns the paths at which canaries of the group were requested. */
  hitsOf(group: Group): string[];
}

/** Pages that are kept as snapshots, and the same ones without protection. */
export type Group = 'kept' | 'bare';

/** Ending of the names of hosts that vectors look up. */
export const CANARY_HOSTS = 'canary.test';

/** Starts the site. Requests of vectors are counted and answered without content, so that they replace no page. */
export async function startHostileSite(): Promise<HostileSite> {
  const site = await startSite(({ url, response }) => {
    const [, kind, group, index] = url.pathname.split('/');
    const vector = VECTORS[Number(index)];
    if (kind !== 'page' || !vector) return void response.writeHead(204).end();
    response.writeHead(200, { 'content-type': vector.type ?? 'text/html' });
    response.end(sourceOf(vector, group as Group));
  });
  const sourceOf: HostileSite['sourceOf'] = (vector, group) =>
    vector.markup(canaryOf(VECTORS.indexOf(vector), group, site.origin));
  return {
    origin: site.origin,
    pageOf: (vector, group) => `${site.origin}/page/${group}/${VECTORS.indexOf(vector)}`,
    sourceOf,
    hitsOf: (group) =>
      site.fetches.map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith(`/${group}-`)),
    [Symbol.asyncDispose]: () => site.close(),
  };
}

/** Returns the vectors that are named in requests, messages of scripts and looked-up hosts. */
export function vectorsIn(texts: readonly string[], group: Group): Vector[] {
  const found = texts.flatMap((text) => [...text.matchAll(new RegExp(`\\b${group}-(\\d+)`, 'g'))]);
  const indexes = new Set(found.map(([, index]) => Number(index)));
  return VECTORS.filter((_vector, index) => indexes.has(index));
}

function canaryOf(index: number, group: Group, origin: string): Canary {
  const name = `${group}-${index}`;
  const at = `${origin}/${name}`;
  const run = `console.log('${name}');top.postMessage('${name}','*');fetch('${at}',{mode:'no-cors'})`;
  return { at, host: `${name}.${CANARY_HOSTS}`, run };
}
