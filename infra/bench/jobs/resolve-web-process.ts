/** Loaded by NODE_OPTIONS into every process of a bench: resolves the hosts of its web, which no name server knows, to loopback. */
import { promises as dns, type LookupAddress } from 'node:dns';
import { hostNumberOf } from './web-hosts.ts';

const LOOPBACK: LookupAddress = { address: '127.0.0.1', family: 4 };
const { lookup } = dns;

Object.assign(dns, {
  lookup: async (host: string, options: object) =>
    hostNumberOf(host) === undefined ? lookup(host, options) : [LOOPBACK],
});
