import { createEffect, createRoot, createSignal } from 'solid-js'
import { type Conversation, conversationKey } from '../lib/route.ts'
import { currentState } from './server-state.ts'

/** A file on its way to the server. */
export type Upload = {
  id: number
  /** The conversation in whose text it stands. */
  conversation: Conversation
  name: string
  /** The text that stands for the file until it is uploaded. */
  placeholder: string
  /** From 0 to 1. */
  progress: number
  cancel(): void
}

const [uploads, setUploads] = createRoot(() => createSignal<Upload[]>([]))
let last = 0

// Files go on while another conversation is shown. The page asks for this mark before it is left.
createRoot(() =>
  createEffect(() => document.documentElement.toggleAttribute('data-uploading', uploads().length > 0)),
)

export { uploads }

export function uploadsTo(key: string): Upload[] {
  return uploads().filter((one) => conversationKey(one.conversation) === key)
}

/** A text has moved to another conversation, with the places of these files. */
export function moveUploads(text: string, from: Conversation, to: Conversation) {
  const key = conversationKey(from)
  const isMoved = (one: Upload) => conversationKey(one.conversation) === key && text.includes(one.placeholder)
  setUploads((all) => all.map((one) => (isMoved(one) ? { ...one, conversation: to } : one)))
}

/** A text without the places of files that are on their way: if the page ends before, they do not arrive. */
export function withoutUploads(key: string, text: string): string {
  return uploadsTo(key).reduce(
    (rest, { placeholder }) => rest.replace(`${placeholder}\n`, '').replace(placeholder, ''),
    text,
  )
}

/** The largest size of a file, in bytes; undefined if there is no limit. */
export function largestFile(): number | undefined {
  const mib = currentState().max_file_upload_size_mib
  return mib > 0 ? mib * 1024 * 1024 : undefined
}

/** Both get the conversation in whose text the placeholder stands by then. */
type Handlers = {
  done(link: string, conversation: Conversation): void
  failed(reason: string | undefined, conversation: Conversation): void
}

/** Sends a file. `done` gets the link that takes the placeholder's place; `failed` without a reason: it was canceled. */
export function upload(
  file: File,
  conversation: Conversation,
  placeholderOf: (name: string) => string,
  handlers: Handlers,
): Upload {
  const request = new XMLHttpRequest()
  const id = ++last
  const name = file.name.replace(/[[\]\n]/g, '')
  // Two files may have one name.
  const isTaken = uploadsTo(conversationKey(conversation)).some((one) => one.name === name)
  const placeholder = `[${placeholderOf(isTaken ? `${name} (${id})` : name)}]()`
  const one: Upload = { id, conversation, name, placeholder, progress: 0, cancel: () => request.abort() }
  setUploads((all) => [...all, one])
  const place = () => uploads().find((other) => other.id === id)?.conversation ?? conversation
  const end = () => setUploads((all) => all.filter((other) => other.id !== id))
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    setUploads((all) =>
      all.map((other) => (other.id === id ? { ...other, progress: loaded / total } : other)),
    ),
  )
  request.addEventListener('load', () => {
    const { url, msg } = request.response ?? {}
    if (request.status === 200 && url) handlers.done(`[${name}](${url})`, place())
    else handlers.failed(msg ?? (request.status < 500 ? `HTTP ${request.status}` : ''), place())
    // Last: a message that waits for its files goes out with their links.
    end()
  })
  request.addEventListener('error', () => {
    handlers.failed('', place())
    end()
  })
  request.addEventListener('abort', () => {
    handlers.failed(undefined, place())
    end()
  })
  const form = new FormData()
  form.append('file', file)
  request.open('POST', '/json/user_uploads')
  request.responseType = 'json'
  request.send(form)
  return one
}
