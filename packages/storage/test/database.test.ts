import { inspect } from 'node:util';
import { createId } from '@gleaner/contracts';
import { eventually } from '@gleaner/test-kit';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { poolsOf } from '../src/database/keep-usable.ts';
import { connectDatabase, createStores, type DatabaseOptions } from '../src/index.ts';
import { BACKENDS, type RunningBackend, SILENT_LOGGER } from './backends.ts';
import { type Relay, startRelay } from './relay.ts';

describe.each(BACKENDS)('the database on $name', ({ start }) => {
  let backend: RunningBackend;
  let relay: Relay;

  beforeEach(async () => {
    backend = await start();
    relay = await startRelay(backend.uri);
  });
  afterEach(async () => {
    await relay.close();
    await backend.stop();
  });

  const connect = (options: Partial<DatabaseOptions> = {}) =>
    connectDatabase({ uri: relay.uri, logger: SILENT_LOGGER, ...options });

  it('answers a ping and reports the state connected until it is closed', async () => {
    const database = await connect();
    await database.ping();
    expect(database.state).toBe('connected');
    await database.close();
    expect(database.state).toBe('disconnected');
    await expect(database.ping()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('leaves no timer to check the pool', async () => {
    const database = await connect();
    const connection = database.models.jobs.db;
    await eventually(() => {
      // Node's mark of a timer that has fired or was cleared.
      const ended = poolsOf(connection).map(({ minPoolSizeTimer }) =>
        Reflect.get(minPoolSizeTimer ?? {}, '_destroyed'),
      );
      expect(ended).toEqual([true]);
    });
    await database.close();
  });

  it('creates its indexes repeatedly and from several processes at once', async () => {
    const databases = await Promise.all([connect(), connect()]);
    const [database] = databases;
    await Promise.all(databases.map((each) => each.ensureIndexes()));
    await database?.ensureIndexes();
    const indexes = await database?.models.keys.collection.indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { hash: 1 }, unique: true }));
    await Promise.all(databases.map((each) => each.close()));
  });

  it('names the collection of a conflicting index', async () => {
    const database = await connect();
    await database.models.keys.collection.createIndex({ hash: 1 });
    await expect(database.ensureIndexes()).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      message: expect.stringContaining('"keys"'),
    });
    await database.close();
  });

  it('throws SERVICE_UNAVAILABLE while connections are reset, and recovers', async () => {
    const database = await connect();
    const { accounts, keys } = createStores(database);
    const account = await accounts.ensureAccount({ id: createId('acc'), name: 'Test' });

    relay.cut();
    const unavailable = { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: expect.any(Number) };
    await expect(accounts.findAccount(account.id)).rejects.toMatchObject(unavailable);
    await expect(keys.createKey({ accountId: account.id })).rejects.toMatchObject(unavailable);
    await expect(database.ping()).rejects.toMatchObject(unavailable);
    await eventually(() => expect(database.state).toBe('disconnected'));

    relay.mend();
    await eventually(async () => expect(await accounts.findAccount(account.id)).toEqual(account));
    expect(database.state).toBe('connected');
    await database.close();
  });

  it('throws SERVICE_UNAVAILABLE while the server is silent, and recovers', async () => {
    const database = await connect();
    const { accounts } = createStores(database);
    const account = await accounts.ensureAccount({ id: createId('acc'), name: 'Test' });

    relay.stall();
    await expect(accounts.findAccount(account.id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });

    relay.cut();
    relay.mend();
    await eventually(async () => expect(await accounts.findAccount(account.id)).toEqual(account));
    await database.close();
  });

  it('recovers after writes blocked in full sockets occupied every connection', async () => {
    const database = await connect({ maxPoolSize: 1 });
    const { accounts, results, screenshots } = createStores(database);
    const account = await accounts.ensureAccount({ id: createId('acc'), name: 'Test' });
    const shot = await screenshots.insertScreenshot({
      id: 'page',
      attempt: 1,
      jobId: 'job',
      image: Buffer.from('image'),
      format: 'png',
      checkAt: new Date(),
    });

    relay.clog();
    const json = 'x'.repeat(3 * 1024 * 1024);
    const large = Array.from({ length: 8 }, (_, attempt) => ({ id: 'page', attempt, json }));
    await expect(results.insertResults(large, new Date())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await eventually(() => expect(database.state).toBe('disconnected'));

    relay.mend();
    await eventually(async () => expect(await accounts.findAccount(account.id)).toEqual(account));
    expect(await screenshots.findScreenshot(shot)).toMatchObject({ format: 'png' });
    await database.close();
  });

  it('stops a ping at the signal', async () => {
    const database = await connect();
    relay.stall();
    const giveUp = new AbortController();
    const pinging = database.ping({ signal: giveUp.signal });
    giveUp.abort(new Error('asked to stop'));
    await expect(pinging).rejects.toThrow('asked to stop');
    await database.close();
  });

  it('waits for a server that starts late', async () => {
    relay.cut();
    const warnings: string[] = [];
    const logger = { info() {}, warn: (_fields: object, message: string) => void warnings.push(message) };
    const connecting = connect({ logger, connectTimeoutMs: 240_000 });
    await eventually(() => expect(warnings).not.toHaveLength(0));
    relay.mend();
    const database = await connecting;
    await database.ping();
    await database.close();
  });
});

describe('connectDatabase', () => {
  const PASSWORD = 'hunter2-secret';

  it.each([
    ['without a host', `mongodb://user:${PASSWORD}@/db`, 'INTERNAL_ERROR'],
    ['with an unescaped password', `mongodb://user:${PASSWORD}/@127.0.0.1:1`, 'INTERNAL_ERROR'],
    ['with a bad escape', `mongodb://user:${PASSWORD}%zz@127.0.0.1:1/db`, 'INTERNAL_ERROR'],
    ['with an unknown option', `mongodb://user:${PASSWORD}@127.0.0.1:1/db?${PASSWORD}=1`, 'INTERNAL_ERROR'],
    ['of another scheme', `postgres://user:${PASSWORD}@127.0.0.1:1/db`, 'INTERNAL_ERROR'],
    ['without a server', `mongodb://user:${PASSWORD}@127.0.0.1:1/db`, 'SERVICE_UNAVAILABLE'],
  ])('shows no password of an address %s in errors or logs', async (_case, uri, code) => {
    const logged: unknown[] = [];
    const log = (...entry: unknown[]) => void logged.push(entry);
    const failure = await connectDatabase({
      uri,
      logger: { info: log, warn: log },
      connectTimeoutMs: 0,
    }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code });
    expect(deeply(failure)).not.toContain(PASSWORD);
    expect(deeply(logged)).not.toContain(PASSWORD);
  });

  it('stops waiting at the signal', async () => {
    const giveUp = new AbortController();
    const warn = () => giveUp.abort(new Error('asked to stop'));
    const connecting = connectDatabase({
      uri: 'mongodb://127.0.0.1:1/db',
      logger: { info() {}, warn },
      signal: giveUp.signal,
    });
    await expect(connecting).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('does not use the default connection of mongoose', () => {
    expect(mongoose.connection.readyState).toBe(mongoose.ConnectionStates.disconnected);
  });
});

/** Returns everything that a log could show of a value. */
function deeply(value: unknown): string {
  return inspect(value, { depth: 20, showHidden: true, maxArrayLength: null, maxStringLength: null });
}
