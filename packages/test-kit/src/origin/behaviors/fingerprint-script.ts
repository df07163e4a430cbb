/** Body of an async function for pages: returns the names of the checks of a browser that fail. */
export const FINGERPRINT_SCRIPT = `
    const faults = [];
    const check = (name, isFine) => { if (!isFine) faults.push(name); };
    const isNative = (value) => Function.prototype.toString.call(value).includes('[native code]');
    const getter = (owner, key) => Object.getOwnPropertyDescriptor(owner, key)?.get;
    const { userAgent, userAgentData: data, languages, plugins, mimeTypes } = navigator;
    const major = /Chrome\\/(\\d+)/.exec(userAgent)?.[1];

    check('webdriver', navigator.webdriver === false);
    check('user agent', !userAgent.includes('Headless'));
    check('brands', data.brands.some(({ brand, version }) => brand === 'Google Chrome' && version === major));
    check('headless brand', !data.brands.some(({ brand }) => brand.includes('Headless')));
    const high = await data.getHighEntropyValues(['fullVersionList', 'platformVersion', 'architecture']);
    check('full versions', high.fullVersionList.every(({ version }) => version.split('.').length === 4)
      && high.fullVersionList.some(({ version }) => version.startsWith(major + '.')));
    check('platform', navigator.platform.startsWith(data.platform === 'macOS' ? 'Mac' : data.platform.slice(0, 3)));
    check('languages', languages.length > 0 && languages[0] === navigator.language && !/@|_/.test(languages.join()));
    check('locale', Intl.DateTimeFormat().resolvedOptions().locale.split('-')[0] === languages[0].split('-')[0]);

    check('plugins', plugins.length === 5 && plugins instanceof PluginArray && plugins[0] instanceof Plugin);
    check('plugin names', plugins.namedItem('PDF Viewer') === plugins[0] && plugins['PDF Viewer'] === plugins.item(0)
      && plugins.item(99) === null && plugins[0].name === 'PDF Viewer' && plugins[0].length === 2);
    check('plugin keys', Object.keys(plugins).join() === '0,1,2,3,4'
      && !Object.getOwnPropertyNames(plugins).includes('length') && [...plugins].length === 5);
    check('plugin kind', String(plugins) === '[object PluginArray]' && String(plugins[0]) === '[object Plugin]');
    check('mime types', mimeTypes.length === 2 && mimeTypes['application/pdf'].enabledPlugin === plugins[0]
      && mimeTypes[0].type === 'application/pdf' && plugins[0][0].suffixes === 'pdf');
    check('pdf viewer', navigator.pdfViewerEnabled === true);
    check('own properties', Object.getOwnPropertyNames(navigator).length === 0);

    check('chrome', typeof chrome === 'object' && typeof chrome.loadTimes === 'function' && chrome.csi().pageT > 0);
    check('native functions', [Function.prototype.toString, chrome.loadTimes, getter(Navigator.prototype, 'plugins'),
      getter(Navigator.prototype, 'webdriver'), getter(PluginArray.prototype, 'length'), plugins.item].every(isNative));
    check('native words', String(getter(Navigator.prototype, 'plugins')) === 'function get plugins() { [native code] }');
    try {
      getter(Navigator.prototype, 'plugins').call({});
      faults.push('getters work on anything');
    } catch (fault) {
      check('errors of getters', fault instanceof TypeError);
    }

    const permission = await navigator.permissions.query({ name: 'notifications' });
    check('permissions', { default: 'prompt', denied: 'denied', granted: 'granted' }[Notification.permission] === permission.state);
    check('window', outerHeight > innerHeight && outerWidth >= innerWidth && screen.width >= outerWidth);
    check('mouse', matchMedia('(pointer: fine)').matches && matchMedia('(hover: hover)').matches);
    check('connection', navigator.connection.rtt > 0);
    check('images', await new Promise((done) => {
      const image = new Image();
      image.onload = () => done(image.naturalWidth === 1);
      image.onerror = () => done(false);
      image.src = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    }));

    const frame = document.body.appendChild(document.createElement('iframe')).contentWindow;
    check('frame', frame.navigator.webdriver === false && frame.navigator.plugins.length === 5
      && frame.navigator.userAgent === userAgent && typeof frame.chrome === 'object');
    const source = 'const { userAgent, language, hardwareConcurrency, userAgentData } = navigator;'
      + 'const seen = { userAgent, language, hardwareConcurrency, brands: JSON.stringify(userAgentData?.brands) };';
    const inWorker = await new Promise((done) => {
      const worker = new Worker(URL.createObjectURL(new Blob([source + 'postMessage(seen)'])));
      worker.onmessage = ({ data }) => done(data);
    });
    check('worker', inWorker.userAgent === userAgent && inWorker.language === navigator.language
      && inWorker.hardwareConcurrency === navigator.hardwareConcurrency && inWorker.brands === JSON.stringify(data.brands));
    const inShared = await new Promise((done) => {
      const { port } = new SharedWorker(URL.createObjectURL(new Blob([source + 'onconnect = ({ ports: [port] }) => port.postMessage(seen)'])));
      port.onmessage = ({ data }) => done(data);
    });
    check('shared worker', inShared.userAgent === userAgent && inShared.language === navigator.language);
    return faults;`;
