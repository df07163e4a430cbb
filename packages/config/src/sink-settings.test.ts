import { describe, expect, it } from '@jest/globals';
import { SINK_SETTINGS } from './sink-settings.ts';

const { SINKS, SINK_ACCOUNTS } = SINK_SETTINGS;

describe('SINKS', () => {
  it('has buckets by name', () => {
    expect(
      SINKS.type.parse(
        'lake=s3://my-bucket/a/b=c/?region=eu-central-1, test=s3://bucket?endpoint=http://127.0.0.1:9000',
      ),
    ).toEqual([
      { name: 'lake', bucket: 'my-bucket', prefix: 'a/b=c/', region: 'eu-central-1', endpoint: undefined },
      { name: 'test', bucket: 'bucket', prefix: '', region: 'us-east-1', endpoint: 'http://127.0.0.1:9000' },
    ]);
  });

  it.each([
    'lake',
    'lake=https://bucket',
    's3://bucket',
    'la ke=s3://bucket',
    'lake=s3://Bucket',
    'lake=s3://bucket/../other',
    'lake=s3://bucket//a',
    'lake=s3://key:secret@bucket',
    'lake=s3://bucket?endpoint=ftp://a',
    'lake=s3://bucket?acl=public-read',
    'lake=s3://bucket-a,lake=s3://bucket-b',
  ])('does not accept %s', (value) => {
    expect(SINKS.type.parse(value)).toBeUndefined();
  });
});

describe('SINK_ACCOUNTS', () => {
  it('has accounts for all sinks and for one', () => {
    expect(SINK_ACCOUNTS.type.parse('acc_a, lake=acc_b')).toEqual([
      { accountId: 'acc_a', sink: undefined },
      { accountId: 'acc_b', sink: 'lake' },
    ]);
  });
});
