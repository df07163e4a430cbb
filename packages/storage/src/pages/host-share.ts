import { hash } from 'node:crypto';

/** A range of hashes of hosts: the hosts of one planner of several. */
export interface HostShare {
  readonly from: number;
  /** First hash that is not in the range. */
  readonly below: number;
}

/** Number of hashes; they are whole numbers from 0, small enough for 32 bits with a sign. */
const HASHES = 2 ** 31;

/** Returns the hash by which planners divide hosts. It is stored with pages, so it never changes. */
export function hostHashOf(host: string): number {
  return hash('sha256', host, 'buffer').readUInt32BE() >>> 1;
}

/** Returns the hosts of one of several planners, counted from 0; all planners together have each host once. */
export function hostShareOf(planner: number, planners: number): HostShare {
  const first = (number: number) => Math.ceil((number * HASHES) / planners);
  return { from: first(planner), below: first(planner + 1) };
}

/** Returns whether a host is in a share; without one, every host is. */
export function hasHost(share: HostShare | undefined, host: string): boolean {
  if (share === undefined) return true;
  const hostHash = hostHashOf(host);
  return hostHash >= share.from && hostHash < share.below;
}

/** Returns the filter of pages whose hosts are in a share; without one, of all pages. */
export function inShare(share: HostShare | undefined) {
  return share === undefined ? {} : { hostHash: { $gte: share.from, $lt: share.below } };
}

/** Field that orders pages by host: its name, or in a share its hash. */
export function hostOrderOf(share: HostShare | undefined): 'host' | 'hostHash' {
  return share === undefined ? 'host' : 'hostHash';
}

/** Returns the filter of pages whose hosts come after this one; an empty name comes before all of them. */
export function hostsAfter(host: string, share: HostShare | undefined, exceptHosts: readonly string[] = []) {
  const isOpen = exceptHosts.length > 0 && { $nin: [...exceptHosts] };
  if (share === undefined) return { host: { $gt: host, ...isOpen } };
  const { from, below } = share;
  const lower = host === '' ? { $gte: from } : { $gt: hostHashOf(host) };
  return { hostHash: { ...lower, $lt: below }, ...(isOpen && { host: isOpen }) };
}

/** Returns whether a host comes after another one, or is the same. */
export function isHostFrom(host: string, other: string, share: HostShare | undefined): boolean {
  return share === undefined ? host >= other : hostHashOf(host) >= hostHashOf(other);
}
