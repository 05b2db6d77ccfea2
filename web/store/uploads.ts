import { createRoot, createSignal } from 'solid-js'
import { currentState } from './server-state.ts'

/** A file on its way to the server. */
export type Upload = {
  id: number
  /** The conversation in whose text it stands. */
  key: string
  name: string
  /** What stands in the text until the file has arrived. */
  placeholder: string
  /** From 0 to 1. */
  progress: number
  cancel(): void
}

const [uploads, setUploads] = createRoot(() => createSignal<Upload[]>([]))
let last = 0

export { uploads }

export function uploadsTo(key: string): Upload[] {
  return uploads().filter((one) => one.key === key)
}

/** The largest size of a file, in bytes; undefined if there is no limit. */
export function largestFile(): number | undefined {
  const mib = currentState().max_file_upload_size_mib
  return mib > 0 ? mib * 1024 * 1024 : undefined
}

type Handlers = { done(link: string): void; failed(reason: string | undefined): void }

/** Sends a file. `done` gets the link that takes the placeholder's place; `failed` without a reason: it was cancelled. */
export function upload(
  file: File,
  key: string,
  placeholderOf: (name: string) => string,
  handlers: Handlers,
): Upload {
  const request = new XMLHttpRequest()
  const id = ++last
  const name = file.name.replace(/[[\]\n]/g, '')
  // Two files may have one name.
  const isTaken = uploadsTo(key).some((one) => one.name === name)
  const placeholder = `[${placeholderOf(isTaken ? `${name} (${id})` : name)}]()`
  const one: Upload = { id, key, name, placeholder, progress: 0, cancel: () => request.abort() }
  setUploads((all) => [...all, one])
  const end = () => setUploads((all) => all.filter((other) => other.id !== id))
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    setUploads((all) =>
      all.map((other) => (other.id === id ? { ...other, progress: loaded / total } : other)),
    ),
  )
  request.addEventListener('load', () => {
    const { url, msg } = request.response ?? {}
    if (request.status === 200 && url) handlers.done(`[${name}](${url})`)
    else handlers.failed(msg ?? request.statusText)
    // Last: a message that waits for its files goes out with their links.
    end()
  })
  request.addEventListener('error', () => {
    handlers.failed('')
    end()
  })
  request.addEventListener('abort', () => {
    handlers.failed(undefined)
    end()
  })
  const form = new FormData()
  form.append('file', file)
  request.open('POST', '/json/user_uploads')
  request.responseType = 'json'
  request.send(form)
  return one
}
