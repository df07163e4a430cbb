import { describe, expect, it } from '@jest/globals';
import { namingDamage } from './lmdb-file.ts';

describe('namingDamage', () => {
  it.each([-30_797, -30_796, -30_793, -30_782])('names the damaged file for LMDB error %i', (code) => {
    expect(() => namingDamage('/data/data.mdb', () => fail(code))).toThrow(
      'The file /data/data.mdb is damaged: MDB_ERROR. Restore the folder /data from a backup',
    );
  });

  it.each([-30_798, -30_792, 28])('passes error %i on, which is not about the content', (code) => {
    expect(() => namingDamage('/data/data.mdb', () => fail(code))).toThrow(/^MDB_ERROR$/);
  });
});

function fail(code: number): never {
  throw Object.assign(new Error('MDB_ERROR'), { code });
}
