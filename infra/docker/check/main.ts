/**
 * `npm run check:containers`: builds the image of the whole stack and that of every service with the project's recipes, without an
 * engine of containers, and works through them: a scrape, a rendered scrape, a job, the console. `-- gleaner` takes only the first.
 */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startAmqpServer, startMongoServer } from '@gleaner/embedded';
import { freePort } from '@gleaner/test-kit';
import { brokers } from '../../bench/bench-stack.ts';
import { startDemoSite } from '../../demo-site/start-demo-site.ts';
import { buildBase, buildImage, type Image, type ImageOptions, STACK } from './build-images.ts';
import { checkStack } from './check-stack.ts';
import { checkThrough } from './check-through.ts';
import { type RunningImage, runImage } from './run-images.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'node_modules/.cache/gleaner-containers');
const LONGEST_MS = 3_600_000;
const API_KEY = 'gl_check_containers_0123456789abcdef0123456789abcdef';

if (process.getuid?.() !== 0) {
  console.error('This check needs root, buildah and debootstrap: apt-get install buildah debootstrap');
  process.exit(1);
}
const options: ImageOptions = {
  folder: FOLDER,
  logFile: join(FOLDER, 'build.log'),
  signal: AbortSignal.timeout(LONGEST_MS),
};
await mkdir(FOLDER, { recursive: true });
await clean();
try {
  const services = process.argv.includes(STACK) ? [] : await readdir(join(ROOT, 'services'));
  console.log('Making a base of Debian bookworm (debootstrap) and npm’s packages of Node and npm …');
  console.log(`${'base'.padEnd(18)} ${await buildBase(options)} MB`);
  for (const stack of await buildAll([STACK])) await checkStack(stack, options);
  if (services.length > 0) await runAll(await buildAll(services));
  console.log('\nAll images work.');
} finally {
  await clean();
}

/** Removes images, containers and volumes; the base and the logs stay. */
async function clean(): Promise<void> {
  for (const name of ['storage', 'run', 'volumes'])
    await rm(join(FOLDER, name), { recursive: true, force: true });
}

async function buildAll(names: readonly string[]): Promise<Image[]> {
  const images: Image[] = [];
  for (const service of names) {
    const image = await buildImage(service, options);
    console.log(`${service.padEnd(18)} ${image.megabytes} MB, built in ${image.seconds} s`);
    images.push(image);
  }
  return images;
}

async function runAll(images: readonly Image[]): Promise<void> {
  const demo = await startDemoSite({ host: '127.0.0.1', port: 0 });
  const broker = (await brokers()).find(({ amqpUrl }) => amqpUrl !== undefined);
  const embedded = broker ? undefined : await startAmqpServer({ dataDir: join(FOLDER, 'broker') });
  await rm(join(FOLDER, 'database'), { recursive: true, force: true });
  const mongo = await startMongoServer({ dataDir: join(FOLDER, 'database') });
  console.log(`\nBroker: ${broker ? 'RabbitMQ on this machine' : 'embedded'}. Database: embedded.`);
  const port = await freePort();
  const shared = {
    AMQP_URL: broker?.amqpUrl ?? embedded?.url ?? '',
    MONGODB_URI: mongo.uri,
    EGRESS_ALLOW: demo.hosts.join(','),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  };
  const gateway = { HOST: '127.0.0.1', PORT: String(port), BOOTSTRAP_API_KEY: API_KEY };
  const running: RunningImage[] = [];
  try {
    for (const image of images) {
      const settings = image.service === 'gateway' ? { ...shared, ...gateway } : shared;
      running.push(await runImage(image, { settings }, options));
      console.log(`${image.service.padEnd(18)} is ready`);
    }
    await checkThrough({ url: `http://127.0.0.1:${port}`, apiKey: API_KEY, demoUrl: demo.url });
  } finally {
    await Promise.all(running.map((each) => each.stop()));
    await Promise.all([demo.close(), mongo.close(), embedded?.close()]);
  }
}
