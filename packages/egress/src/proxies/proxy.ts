/** A proxy server of the operator's, as it was configured. Holds credentials: it goes into no log and no error. */
export interface ConfiguredProxy {
  /** `us-2`: its country and its place in the list, which is all that is ever told of it. */
  readonly name: string;
  readonly country: string;
  readonly protocol: 'http' | 'https' | 'socks5';
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly credentials: ProxyCredentials | undefined;
  /** What the proxy is told of a target: an address that was checked here, or its name, to resolve it once more there. */
  readonly targets: 'by-address' | 'by-name';
}

/** A user name and a password, decoded. */
export interface ProxyCredentials {
  readonly username: string;
  readonly password: string;
}
