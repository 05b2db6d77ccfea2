import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Document, Encoded } from '../../../http/document.ts'

/** Where `npm run build` puts the web client: dist/web, also when the server itself runs from its sources. */
const folder = fileURLToPath(new URL('../../../../dist/web', import.meta.url))

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

// Messages may have inline styles, but no script of theirs can run: none is from this server, and only the two policies
// named here may assign HTML.
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob: https://secure.gravatar.com",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types rookery-templates rookery-messages',
].join('; ')

const aYear = 365 * 86_400

/** The files of the web client; its page is at `/`. Files below assets/ never change: their names have a hash. */
export function webClientFiles(): Document[] {
  if (!existsSync(join(folder, 'index.html'))) return [missing]
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in contentTypes)
    .map((entry) => documentOf(relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')))
}

function documentOf(name: string): Document {
  const isPage = name === 'index.html'
  const isImmutable = name.startsWith('assets/')
  const load = once(() => read(name))
  return {
    path: isPage ? '/' : `/${name}`,
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    maxAge: isImmutable ? aYear : 0,
    headers: {
      'cache-control': isImmutable ? `public, max-age=${aYear}, immutable` : 'no-cache',
      ...(isPage && { 'content-security-policy': contentPolicy, 'referrer-policy': 'same-origin' }),
    },
    body: load,
  }
}

async function read(name: string): Promise<Encoded> {
  const path = join(folder, name)
  const [identity, br, gzip] = await Promise.all([
    readFile(path),
    readFile(`${path}.br`).catch(() => undefined),
    readFile(`${path}.gz`).catch(() => undefined),
  ])
  return new Encoded(identity, { ...(br && { br }), ...(gzip && { gzip }) })
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** What stands at `/` if the web client was not built. */
const missing: Document = {
  path: '/',
  contentType: 'text/plain; charset=utf-8',
  maxAge: 0,
  body: async () => ['The web client is not built: run npm run build.\n'],
}
