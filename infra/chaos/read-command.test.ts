import { describe, expect, it } from '@jest/globals';
import { CHAOS_HELP, readCommand } from './read-command.ts';

describe('the command line of npm run chaos', () => {
  it('defaults to a hundred faults over 10,000 URLs', () => {
    expect(readCommand([], {})).toMatchObject({
      kind: 'jobs',
      seed: 1,
      faults: 100,
      urls: 10_000,
      planners: 1,
      brokerKind: 'embedded',
      databaseKind: 'embedded',
    });
    expect(readCommand([], { AMQP_URL: 'amqp://x' })).toMatchObject({ brokerKind: 'url' });
    expect(readCommand([], { MONGODB_URI: 'mongodb://x' })).toMatchObject({ databaseKind: 'url' });
    const [name] = /(?<=").*(?=")/.exec(CHAOS_HELP) ?? [''];
    expect(readCommand(['--urls', '7', '--scenario', name], {})).toMatchObject({
      urls: 7,
      scenarios: [name],
    });
  });

  it('takes the name of another workload', () => {
    expect(readCommand(['crawls', '--urls', '50'], {})).toMatchObject({ kind: 'crawls', urls: 50 });
    const upgrade = { kind: 'upgrade', urls: 3000, from: 'v1' };
    expect(readCommand(['upgrade', '--from', 'v1'], {})).toMatchObject(upgrade);
  });

  it.each([['--help'], ['-h']])('shows its help for %s', (option) => {
    expect(readCommand([option], {})).toBe('help');
  });

  it.each([
    [['--falts', '1'], "Unknown option '--falts'"],
    [['--faults', 'many'], '--faults takes a whole number from 0 on, not "many".'],
    [['--planners', '0'], '--planners takes a whole number from 1 on, not "0".'],
    [['--urls', '0'], '--urls takes a whole number from 1 on, not "0".'],
    [['--seed', ''], '--seed takes a whole number from 0 on, not "".'],
    [['--broker', 'kafka'], '--broker takes "embedded", "rabbitmq", "url", not "kafka".'],
    [['rain'], 'The workload takes "jobs", "crawls", "schedules", "profiles", "upgrade", not "rain".'],
    [['jobs', 'crawls'], 'not "jobs crawls".'],
    [['upgrade'], '--from names the version that the upgrade starts from.'],
    [['--scenario', 'rain'], 'not "rain".'],
  ])('says what is wrong with %j', (args, fault) => {
    expect(readCommand(args, {})).toEqual({ fault: expect.stringContaining(fault) });
  });
});
