// The page and the parts of this version of the client, so that it opens without network. Online, the page always comes
// from the server: after an upgrade, the next page is the new one, whatever is cached.

declare const self: ServiceWorkerGlobalScope
/** The files below assets/ of the build that this worker belongs to. */
declare const buildAssets: string[]

const prefix = 'shell-'
const paths = buildAssets.map((name) => `/assets/${name}`)

/** The answers of a proxy whose server is away. */
const away = [502, 503, 504]

/** How long the server may take for the page, in milliseconds, before the cached one opens. */
const patience = 4000

/** The name of a cache is that of the version: its start has a hash of its content, as all files have. */
async function cacheName() {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(paths.join()))
  return prefix + new Uint8Array(bytes).slice(0, 8).join('-')
}

/** Caches all of this version. Fails if the server has another one by now, whose worker the browser will find. */
export async function cacheShell() {
  const page = await fetch('/', { cache: 'no-store' })
  if (!page.ok || !(await isOfThisVersion(page))) throw new Error('The server has another version.')
  const cache = await caches.open(await cacheName())
  await cache.addAll(paths)
  await cache.put('/', page)
}

/** Removes older versions but for the last one, whose pages may still be open and load parts of theirs. */
export async function removeOldShells() {
  await self.registration.navigationPreload?.enable()
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix))
  for (const name of names.slice(0, -2)) await caches.delete(name)
}

/** The page of the client: the server's, or the cached one if the server cannot be reached, or does not answer soon. */
export async function shellPage(event: FetchEvent): Promise<Response> {
  const cached = async () => (await caches.open(await cacheName())).match('/')
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, patience, undefined))
  try {
    const fromServer = pageFromServer(event)
    const response = (await Promise.race([fromServer, late])) ?? (await cached()) ?? (await fromServer)
    return (away.includes(response.status) && (await cached())) || response
  } catch (error) {
    const found = await cached()
    if (found) return found
    throw error
  }
}

async function pageFromServer(event: FetchEvent): Promise<Response> {
  const preloaded = (await event.preloadResponse) as Response | undefined
  // If the server cannot be reached, Firefox fulfills the promise with an error.
  return preloaded && preloaded.type !== 'error' ? preloaded : fetch(event.request)
}

/** A file of this version or of the last one from the cache, any other from the server. */
export async function shellAsset(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request)
}

async function isOfThisVersion(page: Response) {
  const named = (await page.clone().text()).matchAll(/="(\/assets\/[^"]+)"/g)
  return [...named].every(([, path = '']) => paths.includes(path))
}
