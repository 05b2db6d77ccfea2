// Notifications that belong to the service worker, so that the worker and the tabs replace and close each other's.

/** The notification of a message. `hash` is the address of the message within the client. */
export type DesktopNote = { id: number; tag: string; title: string; body: string; icon: string; hash: string }

type Text = Omit<DesktopNote, 'tag'>

/**
 * The data that a shown notification keeps: the ids of its messages, and the texts of the newest ones. If the shown message is
 * read elsewhere or deleted, another text takes its place.
 */
export type NoteData = { ids: number[]; texts: Text[]; hash: string }

/** How many texts a notification keeps. */
const textsKept = 20

/** `renotify`: alert the user again, although a notification with this tag is shown. */
type Options = NotificationOptions & { renotify?: boolean; data: NoteData }

/** Shows a message in place of earlier ones of its conversation, unless its notification is there already. */
export async function showNote(registration: ServiceWorkerRegistration, { tag, ...text }: DesktopNote) {
  const before = (await registration.getNotifications({ tag })).map(dataOf)
  const ids = before.flatMap((data) => data.ids)
  if (ids.includes(text.id)) return
  const texts = [...before.flatMap((data) => data.texts), text]
  await show(registration, tag, [...ids, text.id], texts, { renotify: ids.length > 0 })
}

/** Shows the newest text. */
async function show(
  registration: ServiceWorkerRegistration,
  tag: string,
  ids: number[],
  texts: Text[],
  how: NotificationOptions & { renotify?: boolean },
) {
  const [newest] = texts.slice(-1)
  if (!newest) return
  const { title, body, icon, hash } = newest
  const options: Options = { ...how, tag, body, icon, data: { ids, texts: texts.slice(-textsKept), hash } }
  await registration.showNotification(title, options)
}

/** Takes messages that are over out of the notifications, and closes those of which nothing is left; no ids stand for all messages. */
export async function closeNotes(registration: ServiceWorkerRegistration, over?: readonly number[]) {
  for (const shown of await registration.getNotifications()) {
    const { ids, texts } = dataOf(shown)
    const isLeft = (id: number) => over !== undefined && !over.includes(id)
    const left = ids.filter(isLeft)
    const textsLeft = texts.filter(({ id }) => isLeft(id))
    if (over && left.length === ids.length) continue
    if (textsLeft.length === 0) shown.close()
    else await show(registration, shown.tag, left, textsLeft, { silent: true })
  }
}

/** Gives a message that was edited its new text in the notification that has it. */
export async function rewriteNote(registration: ServiceWorkerRegistration, id: number, body: string) {
  for (const shown of await registration.getNotifications()) {
    const { ids, texts } = dataOf(shown)
    if (!texts.some((text) => text.id === id)) continue
    const next = texts.map((text) => (text.id === id ? { ...text, body } : text))
    await show(registration, shown.tag, ids, next, { silent: true })
  }
}

function dataOf({ data }: Notification): Pick<NoteData, 'ids' | 'texts'> {
  const { ids = [], texts = [] } = (data ?? {}) as Partial<NoteData>
  return { ids, texts }
}
