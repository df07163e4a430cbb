/** A tunnel that a client requested, as it was written in the request. */
export interface AskedTunnel {
  /** A name or an address, as the client gave it. */
  readonly host: string;
  readonly port: number;
  /** Credentials that the client sent, right or wrong. */
  readonly username: string;
  readonly password: string;
}

/** Credentials that a proxy requires. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A running proxy on loopback. */
export interface TestProxy extends AsyncDisposable {
  /** With the required credentials, percent-encoded. */
  readonly url: string;
  readonly port: number;
  /** Tunnels requested so far, oldest first, including refused ones. */
  readonly tunnels: readonly AskedTunnel[];
  /** Closes the port and cuts all connections, as a crash would. */
  close(): Promise<void>;
}

/** Returns the URL of a proxy on loopback, with the credentials that it requires. */
export function proxyUrl(scheme: string, port: number, credentials?: Credentials): string {
  const { username = '', password = '' } = credentials ?? {};
  const userInfo = credentials ? `${encodeURIComponent(username)}:${encodeURIComponent(password)}@` : '';
  return `${scheme}://${userInfo}127.0.0.1:${port}`;
}
