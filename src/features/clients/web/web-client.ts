import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Document, Encoded } from '../../../http/responses/document.ts'

/** The folder into which `npm run build` puts the web client: dist/web, also when the server itself runs from its sources. */
export const webClientFolder = fileURLToPath(new URL('../../../../dist/web', import.meta.url))

const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
}

const aYear = 365 * 86_400

/** The files of the web client, but for its page. Files below assets/ never change: their names have a hash. */
export function webClientFiles(): Document[] {
  if (!existsSync(webClientFolder)) return []
  return readdirSync(webClientFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) in contentTypes)
    .map((entry) =>
      documentOf(relative(webClientFolder, join(entry.parentPath, entry.name)).split(sep).join('/')),
    )
}

function documentOf(name: string): Document {
  const isImmutable = name.startsWith('assets/')
  const load = once(() => read(name))
  return {
    path: `/${name}`,
    contentType: contentTypes[extname(name)] ?? 'application/octet-stream',
    maxAge: isImmutable ? aYear : 0,
    headers: {
      'cache-control': isImmutable ? `public, max-age=${aYear}, immutable` : 'no-cache',
    },
    body: load,
  }
}

async function read(name: string): Promise<Encoded> {
  const path = join(webClientFolder, name)
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
