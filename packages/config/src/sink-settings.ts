import { defineConfig, setting } from './setting.ts';
import type { SettingType } from './setting-types.ts';

/** A bucket that results may be written to. */
export interface SinkTarget {
  readonly name: string;
  readonly bucket: string;
  /** Folder in the bucket, with a slash at its end; empty for the whole bucket. */
  readonly prefix: string;
  readonly region: string;
  /** Address of a store other than that of AWS. */
  readonly endpoint: string | undefined;
}

/** Permission to write to sinks. */
export interface SinkGrant {
  readonly accountId: string;
  /** Undefined for all sinks. */
  readonly sink: string | undefined;
}

const sinkList: SettingType<readonly SinkTarget[]> = {
  expected: 'pairs name=s3://bucket/folder?region=…&endpoint=…, separated by commas, with a name for each',
  example: 'lake=s3://bucket/gleaner?region=eu-central-1,test=s3://bucket?endpoint=http://minio:9000',
  parse(value) {
    const sinks = setting.list.parse(value)?.map(readSink) ?? [];
    const known = sinks.filter((sink) => sink !== undefined);
    const names = new Set(known.map(({ name }) => name));
    return known.length === sinks.length && names.size === sinks.length ? known : undefined;
  },
};

const grantList: SettingType<readonly SinkGrant[]> = {
  expected: 'ids of accounts, or pairs sink=account, separated by commas',
  example: 'acc_default,lake=acc_01jd8x0000000000000000000',
  parse: (value) =>
    setting.list.parse(value)?.map((entry) => {
      const at = entry.indexOf('=');
      return { accountId: entry.slice(at + 1), sink: at < 0 ? undefined : entry.slice(0, at) };
    }),
};

/** Settings of sinks, for the gateway and the webhook-notifier. */
export const SINK_SETTINGS = defineConfig({
  SINKS: {
    type: sinkList,
    default: [],
    meaning: 'Buckets that jobs may write their results to, by name; without any, there is no sink.',
  },
  SINK_ACCOUNTS: {
    type: grantList,
    default: [],
    meaning:
      'Accounts that may write to sinks: acc_… to all, lake=acc_… to one. Sinks that no entry is about are open to all accounts.',
  },
});

const PARAMETERS: ReadonlySet<string> = new Set(['region', 'endpoint']);

function readSink(entry: string): SinkTarget | undefined {
  const [, name, address = ''] = /^([A-Za-z0-9][A-Za-z0-9_-]{0,63})=(.+)$/.exec(entry) ?? [];
  // The URL standard takes parts such as ".." away.
  const [, bucket, path = '', query] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9!_.=-]+)*)\/?(?:\?(.*))?$/.exec(address) ?? [];
  if (name === undefined || bucket === undefined) return undefined;
  if (path.split('/').some((part) => part === '.' || part === '..')) return undefined;
  const parameters = new URLSearchParams(query);
  const endpoint = parameters.get('endpoint') ?? undefined;
  const isKnown = [...parameters.keys()].every((key) => PARAMETERS.has(key));
  if (!isKnown || (endpoint !== undefined && !isHttp(endpoint))) return undefined;
  const prefix = path === '' ? '' : `${path.slice(1)}/`;
  return { name, bucket, prefix, endpoint, region: parameters.get('region') || 'us-east-1' };
}

function isHttp(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'http:' || url?.protocol === 'https:';
}
