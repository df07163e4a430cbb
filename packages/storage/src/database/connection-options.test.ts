import { describe, expect, it } from '@jest/globals';
import { connectionOptions } from './connection-options.ts';

describe('connectionOptions', () => {
  it.each([
    ['mongodb://127.0.0.1:27017', 'gleaner'],
    ['mongodb://127.0.0.1:27017/', 'gleaner'],
    ['mongodb://user:pass%2Fword@a.test:27017,b.test:27018/?replicaSet=rs0', 'gleaner'],
    ['mongodb+srv://cluster.test?retryWrites=false', 'gleaner'],
    ['mongodb://127.0.0.1:27017/shop', undefined],
    ['mongodb://user:password@a.test,b.test/shop?authSource=admin', undefined],
    ['mongodb+srv://cluster.test/shop', undefined],
  ])('chooses the default database only for a URI without one: %s', (uri, dbName) => {
    const options = connectionOptions({ uri, appName: 'test', maxPoolSize: 1, socketTimeoutMS: 1000 });
    expect(options.dbName).toBe(dbName);
  });
});
