import { generateKeyPairSync } from 'node:crypto';
import { isIP } from 'node:net';
import forge from 'node-forge';

/** A key and its self-signed certificate, both PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A certificate authority for clients to trust, and the certificates that it issues. */
export interface CertificateAuthority {
  /** PEM. */
  readonly cert: string;
  issue(options?: CertificateOptions): Certificate;
}

/** Contents of a certificate. */
export interface CertificateOptions {
  /** Default `localhost` and 127.0.0.1. */
  readonly hosts?: readonly string[];
  /** Default an hour ago. */
  readonly notBefore?: Date;
  /** Default tomorrow. */
  readonly notAfter?: Date;
}

const HOUR_MS = 3_600_000;

/** Creates a self-signed certificate; clients trust it when it is passed to them as their authority. */
export function createCertificate(options: CertificateOptions = {}): Certificate {
  const { hosts: [name = 'localhost'] = ['localhost'] } = options;
  return make({ ...options, name, extensions: [AUTHORITY, hostNames(options)] });
}

/** Creates an authority, for clients that do not accept self-signed certificates. */
export function createAuthority(): CertificateAuthority {
  const authority = make({ name: 'Test authority', extensions: [AUTHORITY] });
  return {
    cert: authority.cert,
    issue: (options = {}) =>
      make({ ...options, name: 'Test server', extensions: [hostNames(options)], signedBy: authority }),
  };
}

const AUTHORITY = { name: 'basicConstraints', cA: true, critical: true };

interface Making extends CertificateOptions {
  readonly name: string;
  readonly extensions: readonly object[];
  /** Itself unless given. */
  readonly signedBy?: Certificate;
}

let sharedKey: ReturnType<typeof makeKey> | undefined;

function makeKey() {
  return generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

function make({ name, extensions, signedBy, notBefore, notAfter }: Making): Certificate {
  // Generating a key can take seconds, and no test depends on whose key it is.
  sharedKey ??= makeKey();
  const key = sharedKey;
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(key.publicKey);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = notBefore ?? new Date(Date.now() - HOUR_MS);
  certificate.validity.notAfter = notAfter ?? new Date(Date.now() + 24 * HOUR_MS);
  certificate.setSubject([{ name: 'commonName', value: name }]);
  certificate.setIssuer(
    signedBy
      ? forge.pki.certificateFromPem(signedBy.cert).subject.attributes
      : certificate.subject.attributes,
  );
  certificate.setExtensions([...extensions]);
  certificate.sign(forge.pki.privateKeyFromPem(signedBy?.key ?? key.privateKey), forge.md.sha256.create());
  return { key: key.privateKey, cert: forge.pki.certificateToPem(certificate) };
}

function hostNames({ hosts = ['localhost', '127.0.0.1'] }: CertificateOptions): object {
  return { name: 'subjectAltName', altNames: hosts.map(toAltName) };
}

/** RFC 5280 section 4.2.1.6: 2 is a DNS name, 7 an address. */
function toAltName(host: string): object {
  return isIP(host) ? { type: 7, ip: host } : { type: 2, value: host };
}
