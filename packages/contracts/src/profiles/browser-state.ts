import { defined } from '../defined.ts';
import { LIMITS } from '../limits.ts';
import type { StateCookie, StateDatabase, StateOrigin, StorageState } from './storage-state.ts';

/** Time that a page has for letting its databases be read. */
const READ_WITHIN_MS = 2000;
/** Levels of objects in one another that a value may have: encoded, each is three levels of JSON. */
const MAX_DEPTH = 16;
/** Room for what a session has beside its state: the browser and the proxy. */
const SPARE_BYTES = 1024;
/** Constructors of typed arrays, without "Array", by the names that they have in the form. */
const TYPED_ARRAYS = {
  i8: 'Int8',
  ui8: 'Uint8',
  ui8c: 'Uint8Clamped',
  i16: 'Int16',
  ui16: 'Uint16',
  i32: 'Int32',
  ui32: 'Uint32',
  f32: 'Float32',
  f64: 'Float64',
  bi64: 'BigInt64',
  bui64: 'BigUint64',
};

/** Storage of a document's origin as the script reads it. */
export interface ReadOrigin extends StateOrigin {
  readonly indexedDB: StateDatabase[];
  /** Names of databases that were not read: too large, too slow, or with values that the form cannot hold. */
  readonly unread: readonly string[];
}

/**
 * Script for a document that returns the storage of its origin as the JSON of a ReadOrigin, each database within the size of a
 * state; null if the document has no storage that may be read, or localStorage beyond that size.
 */
export const READ_ORIGIN = `(async () => {
  const MAX = ${LIMITS.maxProfileStateBytes};
  const TYPED = ${JSON.stringify(Object.entries(TYPED_ARRAYS))};
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

  const bytesOf = (bytes) => {
    if (bytes.length > MAX) throw new Error('too large');
    let text = '';
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  };

  // As Playwright encodes values for its storageState.
  const encode = (value) => {
    const seen = new Map();
    let isPlain = true;
    const special = (form) => {
      isPlain = false;
      return form;
    };
    const encodeAt = (value, depth) => {
      if (value === null) return { v: 'null' };
      if (value === undefined) return special({ v: 'undefined' });
      if (typeof value === 'bigint') return special({ bi: value.toString() });
      if (typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0)))
        return special({ v: Object.is(value, -0) ? '-0' : String(value) });
      if (typeof value !== 'object') return value;
      if (value instanceof Date) return special({ d: value.toJSON() });
      if (value instanceof RegExp) return special({ r: { p: value.source, f: value.flags } });
      if (value instanceof Error) return special({ e: { n: value.name, m: value.message, s: String(value.stack) } });
      if (value instanceof ArrayBuffer) return special({ ab: { b: bytesOf(new Uint8Array(value)) } });
      const typed = TYPED.find(([, name]) => value instanceof globalThis[name + 'Array']);
      if (typed) {
        const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
        return special({ ta: { b: bytesOf(bytes), k: typed[0] } });
      }
      if (seen.has(value)) return special({ ref: seen.get(value) });
      if (depth > ${MAX_DEPTH}) throw new Error('too deep');
      const id = seen.size + 1;
      seen.set(value, id);
      const inner = (part) => encodeAt(part, depth + 1);
      if (value instanceof Map)
        return special({ m: [...value].map(([k, v]) => ({ k: inner(k), v: inner(v) })), id });
      if (value instanceof Set) return special({ s: [...value].map(inner), id });
      if (Array.isArray(value)) return { a: Array.from(value, inner), id };
      if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error('a file, a key or the like');
      return { o: Object.entries(value).map(([k, v]) => ({ k, v: inner(v) })), id };
    };
    const encoded = encodeAt(value, 1);
    return isPlain ? { plain: value } : { encoded };
  };
  const named = (name, { plain, encoded }) => encoded === undefined ? { [name]: plain } : { [name + 'Encoded']: encoded };
  const keyPathOf = ({ keyPath }) => Array.isArray(keyPath) ? { keyPathArray: [...keyPath] } : keyPath === null ? {} : { keyPath };

  const open = (name) => {
    const request = indexedDB.open(name);
    // It has been deleted: it must not begin to exist again.
    request.onupgradeneeded = () => request.transaction.abort();
    return done(request);
  };
  const readDatabase = async (name) => {
    const database = await open(name);
    // The page may change or delete it.
    database.onversionchange = () => database.close();
    try {
      const names = [...database.objectStoreNames];
      const stores = [];
      const transaction = names.length > 0 ? database.transaction(names, 'readonly') : undefined;
      let size = 0;
      for (const name of names) {
        const store = transaction.objectStore(name);
        const records = [];
        const request = store.openCursor();
        for (let cursor = await done(request); cursor; cursor.continue(), cursor = await done(request)) {
          const key = store.keyPath === null ? named('key', encode(cursor.primaryKey)) : {};
          const record = { ...key, ...named('value', encode(cursor.value)) };
          size += JSON.stringify(record).length;
          if (size > MAX) throw new Error('too large');
          records.push(record);
        }
        const indexes = [...store.indexNames].map((name) => {
          const index = store.index(name);
          return { name, ...keyPathOf(index), multiEntry: index.multiEntry, unique: index.unique };
        });
        stores.push({ name, autoIncrement: store.autoIncrement, ...keyPathOf(store), records, indexes });
      }
      return { name, version: database.version, stores };
    } finally {
      database.close();
    }
  };

  try {
    if (!/^https?:/.test(location.protocol)) return null;
    const items = Object.entries({ ...localStorage }).map(([name, value]) => ({ name, value }));
    if (JSON.stringify(items).length > MAX) return null;
    const late = new Promise((resolve) => setTimeout(resolve, ${READ_WITHIN_MS}));
    const databases = (await Promise.race([indexedDB.databases().catch(() => []), late])) ?? [];
    const names = databases.map(({ name }) => name).filter(Boolean).sort().slice(0, ${LIMITS.maxDatabasesPerOrigin});
    const readInTime = (name) => Promise.race([readDatabase(name).catch(() => undefined), late]);
    const read = (await Promise.all(names.map(readInTime))).filter(Boolean);
    const unread = names.filter((name) => !read.some((database) => database.name === name));
    return JSON.stringify({ origin: location.origin, localStorage: items, indexedDB: read, unread });
  } catch {
    return null;
  }
})()`;

/**
 * Returns the storage of an origin, with the databases that fit into a state beside the rest of it, the smallest first: logins
 * are in small ones, and copies of data in large ones. One that was not read stays as it was before.
 */
export function fitOrigin(
  { origin, localStorage, indexedDB, unread }: ReadOrigin,
  rest: object,
  before?: StateOrigin,
): StateOrigin | undefined {
  const kept = (before?.indexedDB ?? []).filter(({ name }) => unread.includes(name));
  const sized = [...indexedDB, ...kept].map((database) => ({
    database,
    size: JSON.stringify(database).length + 1,
  }));
  const taken = JSON.stringify([rest, { origin, localStorage, indexedDB: [] }]).length;
  let left = LIMITS.maxProfileStateBytes - SPARE_BYTES - taken;
  if (left < 0) return before;
  const fitting: StateDatabase[] = [];
  for (const { database, size } of sized.toSorted((one, other) => one.size - other.size)) {
    left -= size;
    if (left >= 0) fitting.push(database);
  }
  fitting.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { origin, localStorage, ...(fitting.length > 0 && { indexedDB: fitting }) };
}

/** A cookie as Chromium's protocol returns it. */
interface ProtocolCookie extends Required<Omit<StateCookie, PartialKey>>, Pick<StateCookie, 'sameSite'> {
  readonly partitionKey?: { readonly topLevelSite: string; readonly hasCrossSiteAncestor: boolean };
}
type PartialKey = 'sameSite' | 'partitionKey' | '_crHasCrossSiteAncestor';

/** Returns the form of a cookie that Chromium's protocol has returned, as Playwright writes it. */
export function toStateCookie(cookie: ProtocolCookie): StateCookie {
  const { name, value, domain, path, expires, httpOnly, secure, sameSite, partitionKey } = cookie;
  return {
    name,
    value,
    domain,
    path,
    httpOnly,
    secure,
    expires: expires > 0 ? Math.floor(expires) : -1,
    ...defined({ sameSite }),
    ...(partitionKey && {
      partitionKey: partitionKey.topLevelSite,
      _crHasCrossSiteAncestor: partitionKey.hasCrossSiteAncestor,
    }),
  };
}

/** Returns whether there is anything in the storage of an origin. */
export function hasStorage({ localStorage, indexedDB = [] }: StateOrigin): boolean {
  return localStorage.length + indexedDB.length > 0;
}

/** Returns a state without expired cookies, in one order, so that equal states are equal as JSON. */
export function tidyState({ cookies, origins }: StorageState, nowMs: number): StorageState {
  const isAlive = ({ expires = -1 }: StateCookie) => expires === -1 || expires * 1000 > nowMs;
  const keyOf = ({ domain, path = '/', name, partitionKey = '' }: StateCookie) =>
    `${domain} ${path} ${name} ${partitionKey}`;
  return {
    cookies: cookies.filter(isAlive).toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
    origins: origins.filter(hasStorage).toSorted((one, other) => (one.origin < other.origin ? -1 : 1)),
  };
}

/**
 * Returns a script that fills the storage of an origin, in a document of it that has none. A database that cannot be made is
 * left out as a whole.
 */
export function fillOrigin(origin: StateOrigin): string {
  return `(${FILL_ORIGIN})(JSON.parse(${JSON.stringify(JSON.stringify(origin))}))`;
}

/** Function of the script that fills the storage of an origin. */
const FILL_ORIGIN = `async ({ origin, localStorage: items, indexedDB: databases = [] }) => {
  if (location.origin !== origin) return;
  for (const { name, value } of items) localStorage.setItem(name, value);

  const TYPED = ${JSON.stringify(TYPED_ARRAYS)};
  const VALUES = { undefined, null: null, NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };
  const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const decode = (form) => {
    const seen = new Map();
    const note = (id, value) => {
      seen.set(id, value);
      return value;
    };
    const decodeOne = (form) => {
      if (typeof form !== 'object' || form === null) return form;
      if ('ref' in form) return seen.get(form.ref);
      if ('v' in form) return VALUES[form.v];
      if ('d' in form) return new Date(form.d);
      if ('bi' in form) return BigInt(form.bi);
      if ('r' in form) return new RegExp(form.r.p, form.r.f);
      if ('e' in form) {
        const error = Object.assign(new Error(form.e.m), { name: form.e.n });
        return Object.defineProperty(error, 'stack', { value: form.e.s });
      }
      if ('ab' in form) return bytesOf(form.ab.b).buffer;
      if ('ta' in form) return new globalThis[TYPED[form.ta.k] + 'Array'](bytesOf(form.ta.b).buffer);
      if ('m' in form) {
        const map = note(form.id, new Map());
        for (const { k, v } of form.m) map.set(decodeOne(k), decodeOne(v));
        return map;
      }
      if ('s' in form) {
        const set = note(form.id, new Set());
        for (const item of form.s) set.add(decodeOne(item));
        return set;
      }
      if ('a' in form) {
        const array = note(form.id, []);
        for (const item of form.a) array.push(decodeOne(item));
        return array;
      }
      const object = note(form.id, {});
      for (const { k, v } of form.o) {
        if (k !== '__proto__') object[k] = decodeOne(v);
      }
      return object;
    };
    return decodeOne(form);
  };
  const get = (record, name) => name in record ? record[name] : decode(record[name + 'Encoded']);

  const fill = ({ name, version, stores }) => new Promise((resolve) => {
    const request = indexedDB.open(name, version);
    request.onupgradeneeded = () => {
      for (const { name, autoIncrement, keyPath, keyPathArray, indexes, records } of stores) {
        const store = request.result.createObjectStore(name, { autoIncrement, keyPath: keyPathArray ?? keyPath ?? null });
        for (const { name, keyPath, keyPathArray, unique, multiEntry } of indexes)
          store.createIndex(name, keyPathArray ?? keyPath, { unique, multiEntry });
        for (const record of records) store.add(get(record, 'value'), get(record, 'key'));
      }
    };
    request.onsuccess = () => {
      request.result.close();
      resolve();
    };
    request.onerror = resolve;
  });
  await Promise.all(databases.map(fill));
}`;
