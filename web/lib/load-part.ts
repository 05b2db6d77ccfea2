import { ApiFailure, pauseAfter, unreachable } from '../api/client.ts'

/** The files of parts that have been asked for. */
const files = new Map<string, Promise<unknown>>()

/**
 * Loads a part of the client, with the styles and scripts that it needs. The build calls it for every `import()`, with the paths of all
 * of them. Browsers do not try again to import what they could not import once, so the files are fetched before: if that fails, the
 * part can be loaded later.
 */
export async function loadPart<T>(load: () => Promise<T>, paths: readonly string[] = []): Promise<T> {
  await Promise.all(paths.map(ask))
  return load()
}

function ask(path: string) {
  const file = files.get(path) ?? add(path)
  files.set(path, file)
  file.catch(() => files.delete(path))
  return file
}

async function add(path: string) {
  await fetchWhole(`/${path}`)
  if (path.endsWith('.css')) await addStyles(`/${path}`)
}

/** The browser keeps the file, which never changes. One that the server does not have is left to the import to report. */
async function fetchWhole(address: string) {
  const answer = await fetch(address).catch(() => undefined)
  if (!answer || answer.status >= 500) throw unreachable()
  await answer.blob().catch(() => {
    throw unreachable()
  })
}

async function addStyles(address: string) {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = address
  document.head.append(link)
  await new Promise((resolve, reject) => {
    link.onload = resolve
    link.onerror = () => {
      link.remove()
      reject(new Error('Unable to preload CSS'))
    }
  })
}

/** What waits for the server. */
const waiting = new Set<() => void>()

/** To be called when the connection is there again: what waits for the server tries immediately. */
export function tryWaiting() {
  for (const go of waiting) go()
}

addEventListener('online', tryWaiting)

/** Loads a part that the page needs whatever the user does: if the connection breaks off meanwhile, again when it is back. */
export async function untilLoaded<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await load()
    } catch (error) {
      if (!isAway(error)) throw error
      await pause(pauseAfter(error, attempt))
    }
  }
}

/** If a part could not be loaded as the connection had broken off: calls `again` when it can be. */
export function whenLoadable(error: unknown, load: () => Promise<unknown>, again: () => void) {
  if (isAway(error)) untilLoaded(load).then(again, () => {})
}

const isAway = (error: unknown): error is ApiFailure => error instanceof ApiFailure && error.status === 0

async function pause(seconds: number) {
  await new Promise<void>((resolve) => {
    const go = () => {
      clearTimeout(timer)
      waiting.delete(go)
      resolve()
    }
    const timer = setTimeout(go, seconds * 1000)
    waiting.add(go)
  })
}
