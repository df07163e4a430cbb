const HERE = /^(localhost|[\w-]+\.localhost|127(\.\d+){3})([:/?#]|$)/i;

/** Adds the scheme that people leave out: https, and http for servers of this machine. */
export function withScheme(url: string): string {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(url) || !/^\w[\w-]*(\.[\w-]+)*(:\d+)?([/?#]|$)/.test(url)
    ? url
    : `${HERE.test(url) ? 'http' : 'https'}://${url}`;
}
