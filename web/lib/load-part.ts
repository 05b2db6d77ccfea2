import { unreachable } from '../api/client.ts'

/** The parts that have been loaded, by the code that loads them, and the files that were asked for. */
const loaded = new Set<string>()
const files = new Map<string, Promise<unknown>>()

/** Whether the connection to the server has broken off. */
let isAway = false

export function setAway(next: boolean) {
  isAway = next
}

/**
 * Loads a part of the client, with the styles and scripts that it needs. The build calls it for every `import()`. Browsers do not try
 * again to load what they could not load once, so nothing is loaded while the server is away.
 */
export async function loadPart<T>(load: () => Promise<T>, paths: readonly string[] = []): Promise<T> {
  const name = String(load)
  if (isAway && !loaded.has(name)) await findServer()
  await Promise.all(paths.map(ask))
  const part = await load()
  loaded.add(name)
  return part
}

/** Asks for a file that the page has already: the server or, without network, the service worker says that it has not changed. */
async function findServer() {
  const answer = await fetch(import.meta.url, { cache: 'no-cache' }).catch(() => undefined)
  if (!answer?.ok) throw unreachable()
}

function ask(path: string) {
  const file = files.get(path) ?? add(path)
  files.set(path, file)
  return file
}

/** Scripts are only asked for early, styles are waited for. */
async function add(path: string) {
  const link = document.createElement('link')
  const isStyle = path.endsWith('.css')
  link.rel = isStyle ? 'stylesheet' : 'modulepreload'
  link.href = `/${path}`
  document.head.append(link)
  if (!isStyle) return
  await new Promise((resolve, reject) => {
    link.onload = resolve
    link.onerror = () => {
      link.remove()
      files.delete(path)
      reject(new Error('Unable to preload CSS'))
    }
  })
}
