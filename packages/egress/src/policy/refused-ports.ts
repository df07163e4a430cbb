/**
 * Ports that no page is fetched from: the bad ports of the Fetch standard (https://fetch.spec.whatwg.org/#port-blocking),
 * and the ports of services into whose protocol a hostile URL could smuggle a command.
 */
const REFUSED_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  // SMB, Docker, MySQL, RDP, PostgreSQL, AMQP, VNC, Redis, memcached, MongoDB.
  445, 2375, 3306, 3389, 5432, 5672, 5900, 6379, 11211, 27017,
]);

/** Whether pages are never fetched from this port unless the operator opens it. */
export function isRefusedPort(port: number): boolean {
  return REFUSED_PORTS.has(port);
}
