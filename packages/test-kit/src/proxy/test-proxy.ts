/** A tunnel that a client asked for, in the words that it used. */
export interface AskedTunnel {
  /** A name or an address, as the client gave it. */
  readonly host: string;
  readonly port: number;
  /** What the client authenticated with, right or wrong. */
  readonly username: string;
  readonly password: string;
}

/** What a proxy wants to hear. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** A running proxy on loopback. */
export interface TestProxy extends AsyncDisposable {
  /** With the credentials that it wants, percent-encoded. */
  readonly url: string;
  readonly port: number;
  /** Every tunnel that was asked for so far, oldest first, those that were refused included. */
  readonly tunnels: readonly AskedTunnel[];
  /** Closes its port and cuts all its connections, as a crash would. */
  close(): Promise<void>;
}

/** The URL of a proxy on loopback, with the credentials that it wants. */
export function proxyUrl(scheme: string, port: number, credentials?: Credentials): string {
  const { username = '', password = '' } = credentials ?? {};
  const userInfo = credentials ? `${encodeURIComponent(username)}:${encodeURIComponent(password)}@` : '';
  return `${scheme}://${userInfo}127.0.0.1:${port}`;
}
