import { createEffect, createRoot, createSignal, on } from 'solid-js'
import { patch, post, remove } from '../api/client.ts'
import {
  addressOf,
  conversationOfDraft,
  isNowhere,
  isSaved,
  type LiveDraft,
  type LiveDrafts,
  mergeDrafts,
  type ServerDraft,
  serverKey,
} from '../lib/draft-merge.ts'
import { type Conversation, conversationKey } from '../lib/route.ts'
import { isReadable } from './channel-rights.ts'
import { channels } from './channels.ts'
import { draftsKey, forgetDrafts, readDrafts, storeDrafts, withStored } from './draft-storage.ts'
import { users } from './people.ts'
import { currentState, field } from './server-state.ts'
import { isConnected, isReady } from './session.ts'
import { isSpectator } from './spectator.ts'
import { topicRule } from './topic-rule.ts'
import { moveUploads, uploadsTo, withoutUploads } from './uploads.ts'

// One text per conversation. It is in memory with every key, in the browser's storage shortly after, and on the server a
// little later, from where the user's other clients have it.

/** How long after a pause a text is stored, and how long after it goes to the server, in milliseconds. */
const storedAfter = 300
const savedAfter = 2000
/** How many of the contents that were sent are kept, to know them again in events. */
const echoesKept = 20

/** The texts that are being written, by the keys of their conversations. */
const [live, setLive] = createRoot(() => createSignal<LiveDrafts>({}))

export { live }

const echoes = new Map<string, string[]>()
const saving = new Set<string>()
/** The ids of drafts that were made here; the events that say so are still on their way. */
const unheard = new Set<number>()
/** Ids of deleted drafts that are kept besides the newest one. */
const droppedKept = 100
/** The ids of drafts that were deleted here; the events that say so may still be on their way. */
const [dropped, setDropped] = createRoot(() => createSignal<ReadonlySet<number>>(new Set()))
let underWay: Promise<unknown> = Promise.resolve()
let storeTimer: ReturnType<typeof setTimeout> | undefined
let saveTimer: ReturnType<typeof setTimeout> | undefined

/** The drafts on the server, as far as this client knows. */
export function savedDrafts(): ServerDraft[] {
  return (field('drafts') ?? []).filter(({ id }) => !dropped().has(id))
}

/** Notes that a draft was deleted here, or that its deletion failed. Events of the oldest deletions have come long since. */
export function noteDropped(id: number, isDropped: boolean) {
  setDropped((all) => {
    const others = [...all].filter((other) => other !== id).slice(-droppedKept)
    return new Set(isDropped ? [...others, id] : others)
  })
}

/** Returns the draft for a conversation. */
export function draftTo(conversation: Conversation): LiveDraft | undefined {
  return live()[conversationKey(conversation)]
}

/** Takes over what the user has typed. */
export function writeDraft(conversation: Conversation, content: string) {
  const key = conversationKey(conversation)
  const { id, base, place } = live()[key] ?? {}
  const link = id === undefined ? {} : { id, base: base ?? '', ...(place !== undefined && { place }) }
  setLive((all) => ({ ...all, [key]: { conversation, content, at: now(), isRestored: false, ...link } }))
  changed()
}

/** Adds to what is being written to a conversation. */
export function addToDraft(conversation: Conversation, added: string) {
  const before = draftTo(conversation)?.content.trimEnd() ?? ''
  writeDraft(conversation, before ? `${before}\n\n${added}` : added)
}

/** Throws a text away; returns what brings it back. */
export function discardDraft(conversation: Conversation): () => void {
  const { content = '' } = draftTo(conversation) ?? {}
  writeDraft(conversation, '')
  void saveAll()
  return () => addToDraft(conversation, content)
}

/**
 * Gives a text another destination, where it joins what is being written there. Returns what was there; with that as
 * `own`, the next move leaves it in its place.
 */
export function moveDraft(from: Conversation, to: Conversation, own = ''): string {
  if (conversationKey(from) === conversationKey(to)) return own
  const content = draftTo(from)?.content ?? ''
  const isJoined = own !== '' && content.startsWith(own)
  const moved = isJoined ? content.slice(own.length).trimStart() : content
  const there = draftTo(to)?.content.trimEnd() ?? ''
  if (!moved.trim()) return there
  if (isJoined || there || !carry(from, to)) {
    writeDraft(from, isJoined ? own : '')
    writeDraft(to, there ? `${there}\n\n${moved}` : moved)
  }
  moveUploads(moved, from, to)
  return there
}

/** The draft on the server gets the other place, so that it is one draft, in however many tabs it moves. Returns whether it can. */
function carry(from: Conversation, to: Conversation): boolean {
  const [before, after] = [conversationKey(from), conversationKey(to)]
  const draft = live()[before]
  if (draft?.id === undefined || live()[after]?.id !== undefined) return false
  const { place = serverKey(from) } = draft
  const moved = { ...draft, conversation: to, place, at: now(), isRestored: false }
  setLive(({ [before]: _, ...others }) => ({ ...others, [after]: moved }))
  changed()
  return true
}

// Begins when the state has arrived, and before any text or list of them is shown: what is typed into a box would take the
// place of the text that was kept for it, and a draft that is not linked yet would be listed twice.
createRoot(() => createEffect(on(isReady, (is) => is && !isSpectator() && start())))

/** Texts of earlier, and from elsewhere, come back. */
function start() {
  setLive(readDrafts(ownId()))
  // Also after registering anew, and what could not be saved is tried again when the connection is back, or a channel.
  createEffect(on(() => field('drafts'), merge))
  createEffect(on([isConnected, channels], ([isOpen]) => isOpen && changed(), { defer: true }))
  addEventListener('pagehide', () => flush())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') flush()
  })
  addEventListener('storage', ({ key }) => {
    if (key === draftsKey(ownId()) && !synchronizes()) setLive((all) => withStored(ownId(), all))
  })
  changed()
}

function merge() {
  if (!synchronizes()) return
  // A draft counts as deleted by this client only while the request runs. The user may have undone it meanwhile.
  const isEcho = (key: string, content: string) =>
    (content !== '' || saving.has(key)) && (echoes.get(key)?.includes(content) ?? false)
  const drafts = savedDrafts()
  for (const { id } of drafts) unheard.delete(id)
  setLive((all) =>
    mergeDrafts(all, drafts, {
      conversationOf: placeOf,
      isEcho,
      isUnheard: (id) => unheard.has(id),
    }),
  )
  changed()
}

function changed() {
  clearTimeout(storeTimer)
  clearTimeout(saveTimer)
  storeTimer = setTimeout(store, storedAfter)
  saveTimer = setTimeout(() => void saveAll(), savedAfter)
}

/** The user signs out: the texts that the server has do not stay in the browser, where others may read them. */
export async function leaveDrafts() {
  await underWay
  await saveAll()
  const saved = Object.entries(live()).filter(([, draft]) => isSaved(draft))
  forgetDrafts(
    ownId(),
    saved.map(([key]) => key),
  )
}

/** The page may not live on: stores immediately, and sends in a way that outlives it. */
function flush() {
  store()
  void saveAll(true)
}

async function saveAll(isLast = false) {
  // A state of the last visit lacks what was saved since: a text that seems unsaved would become a second draft.
  if (!synchronizes() || !isConnected()) return
  // A text whose files are on their way is saved with their links, unless the page ends before.
  const mayWait = (key: string) => !isLast && uploadsTo(key).length > 0
  const waiting = Object.entries(live()).filter(
    ([key, draft]) => !isSaved(draft) && !saving.has(key) && !mayWait(key) && isTaken(draft),
  )
  const saves = Promise.all(waiting.map(([key]) => save(key, isLast)))
  underWay = Promise.all([underWay, saves])
  await saves
}

/** Whether the server takes a text: it refuses those to channels that the author may not read, and to unknown people. */
function isTaken({ conversation, content }: LiveDraft): boolean {
  if (content.trim() === '') return true
  if ('userIds' in conversation) return conversation.userIds.every((id) => users().has(id))
  return isNowhere(conversation) || isReadable(conversation.channelId)
}

/** Brings one text to the server: creates, changes or deletes its draft there. */
async function save(key: string, isLast: boolean) {
  const draft = live()[key]
  if (!draft) return
  const content = withoutUploads(key, draft.content).trim()
  saving.add(key)
  echoes.set(key, [...(echoes.get(key) ?? []), content].slice(-echoesKept))
  try {
    const id = await send(draft, content, isLast)
    setLive(({ [key]: newest, ...others }) => {
      if (!newest || (id === undefined && newest.content.trim() === '')) return others
      const { id: _, base: __, place: ___, ...rest } = newest
      const place = serverKey(draft.conversation)
      return { ...others, [key]: id === undefined ? rest : { ...rest, id, base: content, place } }
    })
    store()
  } catch {
    // The draft stays on this device. The next change or connection tries again.
  } finally {
    saving.delete(key)
    const left = live()[key]
    if (left && left.content.trim() !== content) changed()
  }
}

/** Returns the id of the draft as it is on the server now. */
async function send(draft: LiveDraft, content: string, keepalive: boolean): Promise<number | undefined> {
  const body = { ...addressOf(draft.conversation, ownId()), content, timestamp: draft.at }
  if (content === '') {
    if (draft.id === undefined) return undefined
    await remove(`/drafts/${draft.id}`, {}, { keepalive })
    noteDropped(draft.id, true)
    return undefined
  }
  if (draft.id !== undefined) {
    await patch(`/drafts/${draft.id}`, { draft: body }, { keepalive })
    return draft.id
  }
  const { ids } = await post<{ ids: number[] }>('/drafts', { drafts: [body] }, { keepalive })
  const [id] = ids
  if (id !== undefined && !currentState().drafts?.some((one) => one.id === id)) unheard.add(id)
  return id
}

/**
 * Returns the conversation of a draft from the server. A draft without a topic belongs to the empty topic, where the
 * channel permits one.
 */
export function placeOf(draft: ServerDraft): Conversation {
  const place = conversationOfDraft(draft, ownId())
  const isUntitled = !('userIds' in place) && place.topic === '' && topicRule(place.channelId) === 'required'
  return isUntitled ? { ...place, isUntitled } : place
}

function synchronizes() {
  return currentState().user_settings?.enable_drafts_synchronization !== false
}

function ownId() {
  return currentState().user_id
}

function store() {
  storeDrafts(ownId(), live())
}

function now() {
  return Math.floor(Date.now() / 1000)
}
