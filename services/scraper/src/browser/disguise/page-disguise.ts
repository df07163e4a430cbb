/**
 * Script that runs in every document before the page's own: adds the PDF viewer and `window.chrome` to a Chromium that
 * lacks them, and leaves others alone. Functions that it replaces print as native ones. Extraction reads the document in
 * another world, where this script does not run.
 */
export const PAGE_DISGUISE = `(() => {
  const { apply } = Reflect;
  const { toString } = Function.prototype;
  const { getOwnPropertyDescriptor: describe, defineProperty: define, create } = Object;
  const sources = new WeakMap();
  const states = new WeakMap();
  const sourceOf = WeakMap.prototype.get.bind(sources);
  const stateOf = WeakMap.prototype.get.bind(states);

  const inPlaceOf = (native, answer) => {
    const fake = new Proxy(native, {
      apply: (target, self, args) => {
        const value = answer(self, args);
        return value === undefined ? apply(target, self, args) : value;
      },
    });
    sources.set(fake, apply(toString, native, []));
    return fake;
  };
  const replace = (owner, key, kind, answer) => {
    const native = describe(owner, key);
    define(owner, key, { ...native, [kind]: inPlaceOf(native[kind], answer) });
  };
  const named = (functions) => {
    for (const name of Object.keys(functions)) {
      if (typeof functions[name] === 'function') sources.set(functions[name], 'function ' + name + '() { [native code] }');
    }
    return functions;
  };

  const givePdfViewer = () => {
    const description = 'Portable Document Format';
    const list = (prototype, items, nameOf) => {
      const made = create(prototype);
      items.forEach((item, index) => define(made, index, { value: item, enumerable: true, configurable: true }));
      items.forEach((item) => define(made, nameOf(item), { value: item, configurable: true }));
      states.set(made, { length: items.length, items, byName: new Map(items.map((item) => [nameOf(item), item])) });
      return made;
    };
    const typeOf = (item) => stateOf(item).type;
    const nameOf = (item) => stateOf(item).name;
    const mimeTypes = ['application/pdf', 'text/pdf'].map((type) => {
      const made = create(MimeType.prototype);
      states.set(made, { type, suffixes: 'pdf', description });
      return made;
    });
    const names = ['PDF', 'Chrome PDF', 'Chromium PDF', 'Microsoft Edge PDF'].map((name) => name + ' Viewer');
    const plugins = [...names, 'WebKit built-in PDF'].map((name) => {
      const made = list(Plugin.prototype, mimeTypes, typeOf);
      states.set(made, { ...stateOf(made), name, filename: 'internal-pdf-viewer', description });
      return made;
    });
    for (const mimeType of mimeTypes) states.set(mimeType, { ...stateOf(mimeType), enabledPlugin: plugins[0] });

    const getters = [
      [Plugin, ['name', 'filename', 'description', 'length']],
      [MimeType, ['type', 'suffixes', 'description', 'enabledPlugin']],
      [PluginArray, ['length']],
      [MimeTypeArray, ['length']],
    ];
    for (const [{ prototype }, keys] of getters) {
      for (const key of keys) replace(prototype, key, 'get', (self) => stateOf(self)?.[key]);
    }
    for (const { prototype } of [Plugin, PluginArray, MimeTypeArray]) {
      const isOurs = (self, args) => stateOf(self) !== undefined && args.length > 0;
      replace(prototype, 'item', 'value', (self, args) =>
        isOurs(self, args) ? (stateOf(self).items[args[0] >>> 0] ?? null) : undefined);
      replace(prototype, 'namedItem', 'value', (self, args) =>
        isOurs(self, args) ? (stateOf(self).byName.get(String(args[0])) ?? null) : undefined);
    }
    const own = {
      plugins: list(PluginArray.prototype, plugins, nameOf),
      mimeTypes: list(MimeTypeArray.prototype, mimeTypes, typeOf),
      pdfViewerEnabled: true,
    };
    for (const key of Object.keys(own)) {
      replace(Navigator.prototype, key, 'get', (self) => (self === navigator ? own[key] : undefined));
    }
  };

  const giveChrome = () => {
    const seconds = (ms) => ms / 1000;
    const chrome = named({
      loadTimes: () => {
        const { timing } = performance;
        const start = seconds(timing.navigationStart);
        return {
          requestTime: start,
          startLoadTime: start,
          commitLoadTime: seconds(timing.responseStart),
          finishDocumentLoadTime: seconds(timing.domContentLoadedEventEnd),
          finishLoadTime: seconds(timing.loadEventEnd),
          firstPaintTime: seconds(timing.domContentLoadedEventEnd),
          firstPaintAfterLoadTime: 0,
          navigationType: 'Other',
          wasFetchedViaSpdy: false,
          wasNpnNegotiated: false,
          npnNegotiatedProtocol: 'unknown',
          wasAlternateProtocolAvailable: false,
          connectionInfo: 'http/1.1',
        };
      },
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
    define(window, 'chrome', { value: chrome, writable: true, enumerable: true, configurable: false });
  };

  const lacksPdfViewer = navigator.plugins.length === 0;
  const lacksChrome = !('chrome' in window);
  if (!lacksPdfViewer && !lacksChrome) return;
  if (lacksPdfViewer) givePdfViewer();
  if (lacksChrome) giveChrome();
  replace(Function.prototype, 'toString', 'value', (self) => sourceOf(self));
})()`;
