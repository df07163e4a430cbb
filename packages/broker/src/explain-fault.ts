import { isNativeError } from 'node:util/types';

/** What an operator can do about a fault of the broker: by AMQP reply code (0-9-1, section 1.2) or system error. */
const REMEDIES: Readonly<Record<string, string>> = {
  320: 'The broker closed it on purpose (a restart, or an operator); it is opened again.',
  403: 'Check user name and password in AMQP_URL, and that the user may configure, write and read on this vhost (rabbitmqctl set_permissions).',
  404: 'Something that should exist was deleted; it is declared again at the next attempt.',
  405: 'Another connection holds it exclusively; close that one.',
  406: 'It exists with other settings than this version declares. Stop its users, let it run empty, delete it (rabbitmqctl delete_queue <name>; an exchange in the management interface), or set another name prefix: it is declared anew at the next attempt.',
  540: 'The broker does not know this feature: use RabbitMQ 3.10 or later, or the embedded server of this version.',
  'no vhost':
    'The broker refused the vhost at the end of AMQP_URL: create it (rabbitmqctl add_vhost, set_permissions), or correct it; no path at all stands for the vhost "/".',
  ECONNREFUSED: 'Nothing listens there: start the broker, or correct host and port in AMQP_URL.',
  ENOTFOUND: 'The host name in AMQP_URL does not resolve: correct it, or check the DNS.',
  ETIMEDOUT: 'No answer: check the address in AMQP_URL and the firewall between.',
};

/** A fault of the broker in one sentence, followed by what to do where that is known. */
export function explainFault(fault: unknown): string {
  const message = isNativeError(fault) ? fault.message || fault.name : String(fault);
  const remedy = REMEDIES[faultCode(fault) ?? codeInWords(message)];
  return remedy ? `${message.replace(/\.?$/, '.')} ${remedy}` : message;
}

/** The AMQP reply code or the system's error code that a fault carries. */
export function faultCode(fault: unknown): string | undefined {
  const hasCode = isNativeError(fault) && 'code' in fault && fault.code !== undefined;
  return hasCode ? String(fault.code) : undefined;
}

/** During the handshake amqplib gives the reply code in its words alone, or not even there. */
function codeInWords(message: string): string {
  if (message.startsWith('Expected ConnectionOpenOk')) return 'no vhost';
  return /\b(\d{3}) \([A-Z-]+\)/.exec(message)?.[1] ?? '';
}
