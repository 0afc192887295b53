// A certificate authority for one test, and a certificate of it for this machine.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const openssl = (...args) => execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** Files in the folder: what clients trust, and what the server shows. */
export function makeCertificates(folder) {
  const at = (name) => join(folder, name);
  openssl('req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=test authority', '-keyout', at('ca.key'), '-out', at('ca.pem'));
  openssl('req', ...newKey, '-subj', '/CN=server', '-keyout', at('key.pem'), '-out', at('server.csr'));
  writeFileSync(at('names'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  openssl('x509', '-req', '-in', at('server.csr'), '-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial',
    '-days', '2', '-extfile', at('names'), '-out', at('cert.pem'));
  return { ca: at('ca.pem'), cert: at('cert.pem'), key: at('key.pem'), otherKey: at('ca.key'), trusted: readFileSync(at('ca.pem')) };
}
