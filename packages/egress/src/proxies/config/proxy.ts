/** A proxy server that the operator configured. Contains credentials: never log it or put it into an error. */
export interface ConfiguredProxy {
  /** `us-2`: country and position in the list; the only part that is shown to callers. */
  readonly name: string;
  readonly country: string;
  readonly protocol: 'http' | 'https' | 'socks5';
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly credentials: ProxyCredentials | undefined;
  /** Form in which the proxy gets a target: a checked address, or a name that the proxy resolves again. */
  readonly targets: 'by-address' | 'by-name';
}

/** A user name and a password, decoded. */
export interface ProxyCredentials {
  readonly username: string;
  readonly password: string;
}
