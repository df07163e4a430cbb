type AnyFunction = (...args: unknown[]) => unknown;
/** Returns the value of a call; undefined where the native function answers. */
type Answer = (self: unknown, args: readonly unknown[]) => unknown;

const { apply } = Reflect;
const { toString: nativeToString } = Function.prototype;
const sources = new WeakMap<object, string>();
const states = new WeakMap<object, State>();
const sourceOf = WeakMap.prototype.get.bind(sources) as (key: unknown) => string | undefined;
const stateOf = WeakMap.prototype.get.bind(states) as (key: unknown) => State | undefined;

/** Values behind an object that was made. */
interface State extends Readonly<Record<string, unknown>> {
  /** Only of lists. */
  readonly items?: readonly object[];
  readonly byName?: ReadonlyMap<string, object>;
}

/** Adds the PDF viewer and `window.chrome` to a Chromium without them. Replaced functions print as native ones. */
export function disguisePage(): void {
  const lacksPdfViewer = navigator.plugins.length === 0;
  const lacksChrome = !('chrome' in window);
  if (!lacksPdfViewer && !lacksChrome) return;
  if (lacksPdfViewer) givePdfViewer();
  if (lacksChrome) giveChrome();
  replace(Function.prototype, 'toString', 'value', (self) => sourceOf(self));
}

function replace(owner: object, key: string, kind: 'get' | 'value', answer: Answer): void {
  const native = Object.getOwnPropertyDescriptor(owner, key);
  const work: unknown = native?.[kind];
  if (typeof work !== 'function') throw new TypeError(key);
  const fake = new Proxy(work as AnyFunction, {
    apply(target, self, args) {
      const value = answer(self, args);
      return value === undefined ? apply(target, self, args) : value;
    },
  });
  sources.set(fake, apply(nativeToString, work, []));
  Object.defineProperty(owner, key, { ...native, [kind]: fake });
}

/** Has functions print as native ones of their names. */
function named<Functions extends object>(functions: Functions): Functions {
  for (const [name, each] of Object.entries(functions)) {
    if (typeof each === 'function') sources.set(each, `function ${name}() { [native code] }`);
  }
  return functions;
}

function makeList(prototype: object, items: readonly object[], nameOf: (item: object) => string): object {
  const made: object = Object.create(prototype);
  for (const [index, item] of items.entries())
    Object.defineProperty(made, index, { value: item, enumerable: true, configurable: true });
  for (const item of items) Object.defineProperty(made, nameOf(item), { value: item, configurable: true });
  const byName = new Map(items.map((item) => [nameOf(item), item]));
  states.set(made, { length: items.length, items, byName });
  return made;
}

function givePdfViewer(): void {
  const description = 'Portable Document Format';
  const typeOf = (item: object) => String(stateOf(item)?.type);
  const nameOf = (item: object) => String(stateOf(item)?.name);
  const mimeTypes = ['application/pdf', 'text/pdf'].map((type) => {
    const made: object = Object.create(MimeType.prototype);
    states.set(made, { type, suffixes: 'pdf', description });
    return made;
  });
  const names = ['PDF', 'Chrome PDF', 'Chromium PDF', 'Microsoft Edge PDF'].map((name) => `${name} Viewer`);
  const plugins = [...names, 'WebKit built-in PDF'].map((name) => {
    const made = makeList(Plugin.prototype, mimeTypes, typeOf);
    states.set(made, { ...stateOf(made), name, filename: 'internal-pdf-viewer', description });
    return made;
  });
  for (const mimeType of mimeTypes) states.set(mimeType, { ...stateOf(mimeType), enabledPlugin: plugins[0] });
  answerFromStates();
  const own: Readonly<Record<string, unknown>> = {
    plugins: makeList(PluginArray.prototype, plugins, nameOf),
    mimeTypes: makeList(MimeTypeArray.prototype, mimeTypes, typeOf),
    pdfViewerEnabled: true,
  };
  for (const key of Object.keys(own)) {
    replace(Navigator.prototype, key, 'get', (self) => (self === navigator ? own[key] : undefined));
  }
}

/** Has the native interfaces answer for objects that were made. */
function answerFromStates(): void {
  const getters = [
    [Plugin, ['name', 'filename', 'description', 'length']],
    [MimeType, ['type', 'suffixes', 'description', 'enabledPlugin']],
    [PluginArray, ['length']],
    [MimeTypeArray, ['length']],
  ] as const;
  for (const [{ prototype }, keys] of getters) {
    for (const key of keys) replace(prototype, key, 'get', (self) => stateOf(self)?.[key]);
  }
  for (const { prototype } of [Plugin, PluginArray, MimeTypeArray]) {
    const find =
      (pick: (list: State, key: unknown) => unknown): Answer =>
      (self, args) => {
        const list = stateOf(self);
        return list !== undefined && args.length > 0 ? (pick(list, args[0]) ?? null) : undefined;
      };
    replace(
      prototype,
      'item',
      'value',
      find(({ items }, index) => items?.[(index as number) >>> 0]),
    );
    replace(
      prototype,
      'namedItem',
      'value',
      find(({ byName }, name) => byName?.get(String(name))),
    );
  }
}

function giveChrome(): void {
  const chrome = named({
    loadTimes: () => loadTimes(performance.timing),
    csi: () => ({
      startE: performance.timing.navigationStart,
      onloadT: performance.timing.domContentLoadedEventEnd,
      pageT: performance.now(),
      tran: 15,
    }),
    app: named({
      isInstalled: false,
      getDetails: () => null,
      getIsInstalled: () => false,
      installState: () => undefined,
      runningState: () => 'cannot_run',
      InstallState: { DISABLED: 'disabled', INSTALLED: 'installed', NOT_INSTALLED: 'not_installed' },
      RunningState: { CANNOT_RUN: 'cannot_run', READY_TO_RUN: 'ready_to_run', RUNNING: 'running' },
    }),
  });
  Object.defineProperty(window, 'chrome', {
    value: chrome,
    writable: true,
    enumerable: true,
    configurable: false,
  });
}

function loadTimes(timing: PerformanceTiming) {
  const start = timing.navigationStart / 1000;
  const complete = timing.domContentLoadedEventEnd / 1000;
  return {
    requestTime: start,
    startLoadTime: start,
    commitLoadTime: timing.responseStart / 1000,
    finishDocumentLoadTime: complete,
    finishLoadTime: timing.loadEventEnd / 1000,
    firstPaintTime: complete,
    firstPaintAfterLoadTime: 0,
    navigationType: 'Other',
    wasFetchedViaSpdy: false,
    wasNpnNegotiated: false,
    npnNegotiatedProtocol: 'unknown',
    wasAlternateProtocolAvailable: false,
    connectionInfo: 'http/1.1',
  };
}
