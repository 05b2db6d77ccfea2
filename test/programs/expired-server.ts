import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * An https server whose certificate expired in 2020. Only clients that trust `certificate` as an authority accept its
 * issuer.
 */
export function expiredServer() {
  return serverWithCertificate('20200101000000Z', '20200102000000Z')
}

/** Starts the same server with a certificate that is valid between these times, in the form of ASN.1. */
export async function serverWithCertificate(start: string, end: string) {
  const { key, certificate } = certificateFor(start, end)
  const https = createServer({ key, cert: certificate }, (_, response) => response.end('{}'))
  await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve))
  const { port } = https.address() as AddressInfo
  const close = () => new Promise((resolve) => https.close(resolve))
  return { url: `https://127.0.0.1:${port}`, certificate, close }
}

function certificateFor(start: string, end: string) {
  const directory = mkdtempSync(join(tmpdir(), 'rookery-tls-'))
  const openssl = (args: string) =>
    execFileSync('openssl', args.split(' '), { cwd: directory, stdio: 'ignore' })
  try {
    writeFileSync(join(directory, 'index'), '')
    writeFileSync(join(directory, 'settings'), authority)
    openssl('req -new -newkey rsa:2048 -nodes -subj /CN=127.0.0.1 -keyout key.pem -out request.pem')
    const dates = `-startdate ${start} -enddate ${end}`
    const files = '-config settings -keyfile key.pem -in request.pem -out cert.pem'
    openssl(`ca -batch -selfsign -notext -extensions names -create_serial ${dates} ${files}`)
    const read = (name: string) => readFileSync(join(directory, name), 'utf8')
    return { key: read('key.pem'), certificate: read('cert.pem') }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const authority = `
[ca]
default_ca = own
[own]
database = index
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
[any]
commonName = supplied
[names]
subjectAltName = IP:127.0.0.1
`
