import type { PendingWorkOptions } from './options.ts';

type AnyFunction = (...args: unknown[]) => unknown;

/** Notes when the next short timer or frame is due, and whether there is a source such as a worker. Calls are passed on as they are. */
export function watchPendingWork({ event, limitMs, lateMs, frameMs, sources }: PendingWorkOptions): void {
  const { apply, construct } = Reflect;
  const now = performance.now.bind(performance);
  let dueAt = 0;
  let hasSources = false;
  const note = (delay: unknown) => {
    const delayMs = typeof delay === 'number' && delay > 0 ? delay : 0;
    if (delayMs <= limitMs && now() + delayMs > dueAt) dueAt = now() + delayMs;
  };
  const watch = (owner: object | undefined, name: string, handler: ProxyHandler<AnyFunction>) => {
    const own = owner as Record<string, AnyFunction> | undefined;
    const native = own?.[name];
    if (own && typeof native === 'function') own[name] = new Proxy(native, handler);
  };
  const noting = (delayOf: (args: unknown[]) => unknown): ProxyHandler<AnyFunction> => ({
    apply(target, self, args) {
      note(delayOf(args));
      return apply(target, self, args);
    },
  });
  for (const name of ['setTimeout', 'setInterval'])
    watch(
      window,
      name,
      noting((args) => args[1]),
    );
  watch(
    window,
    'requestAnimationFrame',
    noting(() => frameMs),
  );
  watch(window.IDBFactory?.prototype, 'open', {
    apply(target, self, args) {
      hasSources = true;
      return apply(target, self, args);
    },
  });
  for (const name of sources)
    watch(window, name, {
      construct(target, args, made) {
        hasSources = true;
        return construct(target, args, made);
      },
    });
  addEventListener(event, (asked) => {
    if (!hasSources && now() > dueAt + lateMs) asked.preventDefault();
  });
}
