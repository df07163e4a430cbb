/** Loads every service and opens a tracer; tells the parent how many of the modules are of OpenTelemetry, and which ones an idle service would do without. */
import { globSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';

const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});

/** Parts of addresses of modules that are loaded when they are first needed. */
const HEAVY = ['/puppeteer-core.js', '/node_modules/nodemailer/', '/openapi/build-openapi.ts', '/got/'];

const root = resolve(import.meta.dirname, '../../..');
const entries = globSync('services/*/src/start-*.ts', { cwd: root }).map((file) => resolve(root, file));
for (const entry of entries) await import(entry);
const heavy = HEAVY.filter((name) => loaded.some((url) => url.includes(name)));
// Node's types leave this list of its own modules out.
const { moduleLoadList } = process as unknown as { readonly moduleLoadList: readonly string[] };
const undici = moduleLoadList.filter((name) => name.endsWith('/undici/undici'));
const { openTracer } = await import('@gleaner/service-kit');
await openTracer({ service: 'test', endpoint: process.argv[2], ratio: 1, onError: () => {} });
/** prom-client loads the interface for its exemplars, whether anything is traced or not. */
const isInterface = (url: string) => url.includes('/@opentelemetry/api/');

process.send?.({
  services: entries.length,
  notNeeded: [...heavy, ...undici],
  openTelemetry: loaded.filter((url) => url.includes('/@opentelemetry/') && !isInterface(url)).length,
});
process.disconnect?.();
process.exit();
