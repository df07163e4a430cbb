import { eventually } from '@gleaner/test-kit';
import { afterEach, describe, expect, it } from '@jest/globals';
import { endServices, launch, runToEnd, startService } from './service-process.ts';

afterEach(endServices);

describe('runService', () => {
  it('sends its ports when it is ready, and answers on them', async () => {
    const service = await startService();
    expect(service.ports).toEqual({ http: expect.any(Number), metrics: expect.any(Number) });
    expect(await statusOf(service.ports.metrics, '/readyz')).toBe(200);
    expect(await statusOf(service.ports.metrics, '/metrics')).toBe(200);
    expect(await statusOf(service.ports.http, '/')).toBe(200);
  });

  it('stops at SIGTERM: no longer ready, work finished, exit code 0', async () => {
    const service = await startService({ BEHAVIOUR: 'slow-stop', SHUTDOWN_TIMEOUT_MS: '240000' });
    service.child.kill('SIGTERM');
    await service.logged('Asked to stop');
    expect(await statusOf(service.ports.metrics, '/readyz')).toBe(503);
    expect(await statusOf(service.ports.metrics, '/livez')).toBe(200);
    await fetch(`http://127.0.0.1:${service.ports.http}/finish`);
    const { code, stdout } = await service.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('the work is finished');
    expect(stdout).toContain('"msg":"Stopped."');
  });

  it('abandons work that does not finish within SHUTDOWN_TIMEOUT_MS and exits with code 1', async () => {
    const service = await startService({ BEHAVIOUR: 'hang-on-stop', SHUTDOWN_TIMEOUT_MS: '100' });
    service.child.kill('SIGTERM');
    const { code, stdout } = await service.ended;
    expect(code).toBe(1);
    expect(stdout).toContain('the work in progress did not close within 100 ms and is abandoned');
  });

  it('treats the signals of one Ctrl-C as one request, and exits at once with code 130 at a later one', async () => {
    const service = await startService({ BEHAVIOUR: 'hang-on-stop' });
    // The process stands still in between, so that both reach it at once on a busy machine too.
    for (const signal of ['SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGCONT'] as const) service.child.kill(signal);
    await service.logged('Asked to stop');
    expect(await statusOf(service.ports.metrics, '/livez')).toBe(200);
    const again = setInterval(() => service.child.kill('SIGINT'), 100);
    const { code } = await service.ended;
    clearInterval(again);
    expect(code).toBe(130);
  });

  it('exits when the process that forked it was killed', async () => {
    const parent = launch({}, [], 'parent');
    await parent.ready;
    parent.child.kill('SIGKILL');
    const { stdout } = await parent.ended;
    expect(stdout).toContain('parent gone');
    expect(stdout).toContain('"msg":"Stopped."');
  });

  it('lets services share a process, which ends with the last of them', async () => {
    const { child, logged, ended } = launch({}, [], 'shared');
    await Promise.all([logged('the companion starts'), logged('"http":')]);
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect([code, stdout.match(/"msg":"Stopped\."/g)]).toMatchObject([0, { length: 2 }]);
  });

  it('stops the services that share a process with one that fails, and exits with its code', async () => {
    const { code, stdout } = await launch({ BEHAVIOUR: 'fail-on-start' }, [], 'shared').ended;
    expect([code, stdout.match(/"msg":"Stopped\."/g)]).toMatchObject([1, { length: 2 }]);
  });

  it('stops while it is still starting', async () => {
    const { child, logged, ended } = launch({ BEHAVIOUR: 'hang-on-start' });
    await logged('hanging on start');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  it('gives up a start that hangs after STARTUP_TIMEOUT_MS', async () => {
    const { code, stdout } = await runToEnd({ BEHAVIOUR: 'hang-on-start', STARTUP_TIMEOUT_MS: '300' });
    expect(code).toBe(1);
    expect(stdout).toContain('The start of the fixture was not ready within STARTUP_TIMEOUT_MS.');
  });

  it('logs why a start failed, with its causes but without secrets, and exits with code 1', async () => {
    const { code, stdout } = await runToEnd({ BEHAVIOUR: 'fail-on-start' });
    expect(code).toBe(1);
    expect(stdout).toContain('"level":"fatal"');
    expect(stdout).toContain('the fixture fails');
    expect(stdout).toContain('gl_[redacted]');
    expect(stdout).not.toContain('0123456789');
  });

  it.each(['throw-later', 'reject-later'])(
    'logs an uncaught error and exits with code 1 (%s)',
    async (how) => {
      const { code, stdout } = await runToEnd({ BEHAVIOUR: how });
      expect(code).toBe(1);
      expect(stdout).toMatch(/"level":"fatal".*"message":"(thrown|rejected) later"/);
    },
  );

  it('names the port that is taken and the variable that changes it', async () => {
    const { ports } = await startService();
    const { code, stdout } = await runToEnd({ METRICS_PORT: String(ports.metrics) });
    expect(code).toBe(1);
    expect(stdout).toContain(
      `Can't listen on 127.0.0.1 port ${ports.metrics}: another process listens there`,
    );
    expect(stdout).toContain('METRICS_PORT');
  });

  it('lists all errors of its configuration on stderr and exits with code 78', async () => {
    const { code, stderr } = await runToEnd({ PORT: 'x', SECRET_NUMBER: 'hunter2', LOG_LEVEL: 'loud' });
    expect(code).toBe(78);
    expect(stderr).toContain('3 settings are wrong');
    expect(stderr).not.toContain('hunter2');
  });

  it('warns of a variable that resembles one of its own', async () => {
    const service = await startService({ LOGLEVEL: 'debug' });
    await service.logged('did you mean LOG_LEVEL?');
  });

  it('prints its settings for --help and exits with code 0', async () => {
    const { code, stdout } = await runToEnd({}, ['--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^fixture is configured by environment variables:/);
    expect(stdout).toMatch(/^ {2}SHUTDOWN_TIMEOUT_MS +25000 +Time limit/m);
  });

  it('logs and counts an event loop that was blocked for more than a second', async () => {
    const service = await startService({ BEHAVIOUR: 'block' });
    const stalls = async () => {
      const metrics = await answerOf(service.ports.metrics, '/metrics');
      const [, count] = /gleaner_event_loop_stalls_total\{service="fixture"\} (\d+)/.exec(metrics.text) ?? [];
      return Number(count);
    };
    // A busy machine may have held it up before.
    const before = await stalls();
    await fetch(`http://127.0.0.1:${service.ports.http}/`);
    await service.logged('The event loop was blocked');
    await eventually(async () => expect(await stalls()).toBeGreaterThanOrEqual(before + 1));
  });
});

async function statusOf(port: number | undefined, path: string): Promise<number> {
  return (await answerOf(port, path)).status;
}

async function answerOf(port: number | undefined, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } });
  return { status: response.status, text: await response.text() };
}
