import type { LiveDraft, LiveDrafts } from '../lib/draft-merge.ts'
import { storedJson } from '../lib/stored-json.ts'
import { withoutUploads } from './uploads.ts'

// All tabs of a user keep their texts in one place of the browser's storage. Each of them writes there what it has changed
// itself, so that none removes a text of another.

/** The texts as this tab has read or stored them. */
let known: Partial<LiveDrafts> = {}

export const draftsKey = (userId: number) => `rookery.drafts.${userId}`

/** Returns the texts that were kept, when the tab begins. */
export function readDrafts(userId: number): LiveDrafts {
  const all = restored(userId)
  known = all
  return all
}

/** Keeps what has changed here. */
export function storeDrafts(userId: number, live: LiveDrafts) {
  const all = read(userId)
  for (const key of Object.keys({ ...known, ...live })) {
    const draft = live[key]
    if (draft === known[key]) continue
    if (draft && isKept(draft)) all[key] = { ...draft, content: withoutUploads(key, draft.content) }
    else delete all[key]
  }
  if (write(userId, all)) known = live
}

/** Forgets texts that the user has elsewhere: another user may sign in. */
export function forgetDrafts(userId: number, keys: readonly string[]) {
  const all = Object.entries(read(userId))
  write(userId, Object.fromEntries(all.filter(([key]) => !keys.includes(key))))
}

/** Returns the texts with what another tab has stored: without the server, that is the only way between tabs. */
export function withStored(userId: number, live: LiveDrafts): LiveDrafts {
  const [all, next] = [restored(userId), { ...live }]
  for (const key of Object.keys({ ...known, ...all })) {
    const [here, there] = [live[key], all[key]]
    const isNewer = there !== undefined && there.at > (here?.at ?? 0)
    if ((here !== known[key] && !isNewer) || here?.content === there?.content) continue
    if (there) next[key] = there
    else delete next[key]
    known = { ...known, [key]: there }
  }
  return next
}

function isKept({ content, id }: LiveDraft) {
  return content.trim() !== '' || id !== undefined
}

function restored(userId: number): LiveDrafts {
  const all = Object.entries(read(userId))
  return Object.fromEntries(all.map(([key, one]) => [key, { ...one, isRestored: true }]))
}

/** Returns false if the storage is full or not allowed; the server has the texts as well. */
function write(userId: number, all: LiveDrafts): boolean {
  try {
    if (Object.keys(all).length === 0) localStorage.removeItem(draftsKey(userId))
    else localStorage.setItem(draftsKey(userId), JSON.stringify(all))
    return true
  } catch {
    return false
  }
}

function read(userId: number): LiveDrafts {
  return storedJson(localStorage, draftsKey(userId), {})
}
