// Content that another application shares with this one. The service worker takes it, and keeps it until the user has chosen
// where it goes.

const cacheName = 'shared'

/** The path to which the system posts shared content, as a form. */
export const shareAddress = '/share'

/** Shared content: a text, which includes the title and the link, and files. */
export type Shared = { text: string; files: File[] }

/** Keeps a shared form, beside those that wait already. */
export async function keepShared(form: FormData) {
  const cache = await caches.open(cacheName)
  await cache.put(`${shareAddress}/${Date.now()}-${crypto.randomUUID()}`, new Response(form))
}

/** Returns all that was shared and waits, and what removes it. */
export async function readShared(): Promise<Shared & { forget(): Promise<void> }> {
  const cache = await caches.open(cacheName)
  const keys = await cache.keys()
  const forms = await Promise.all(keys.map(async (key) => (await cache.match(key))?.formData()))
  const all = forms.map((form) => sharedIn(form ?? new FormData()))
  return {
    text: joined(all.map(({ text }) => text)),
    files: all.flatMap(({ files }) => files),
    async forget() {
      for (const key of keys) await cache.delete(key)
    },
  }
}

/** Removes all that waits: the user signs out. */
export function forgetShared() {
  return caches.delete(cacheName)
}

function sharedIn(form: FormData): Shared {
  const [title, text, url] = ['title', 'text', 'url'].map((name) => String(form.get(name) ?? '').trim())
  // Many applications say the same twice.
  const isSaid = (part = '') => text?.includes(part)
  const files = form.getAll('files').filter((one) => one instanceof File)
  return {
    text: [isSaid(title) ? '' : title, text, isSaid(url) ? '' : url].filter(Boolean).join('\n'),
    // A form without files has one without name and content.
    files: files.filter(({ name, size }) => name !== '' || size > 0),
  }
}

function joined(texts: string[]) {
  return texts.filter(Boolean).join('\n\n')
}
