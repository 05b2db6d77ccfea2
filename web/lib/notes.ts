// Notifications that belong to the service worker, so that the worker and the tabs replace and close each other's.

/** What a notification of a message shows. `hash` is the address of the message within the client. */
export type DesktopNote = { id: number; tag: string; title: string; body: string; icon: string; hash: string }

/** What a shown notification keeps: the messages that it stands for. */
export type NoteData = { ids: number[]; hash: string }

/** `renotify`: alert the user again, although a notification with this tag is shown. */
type Options = NotificationOptions & { renotify?: boolean; data: NoteData }

/** Shows a message in place of earlier ones of its conversation, unless its notification is there already. */
export async function showNote(registration: ServiceWorkerRegistration, note: DesktopNote) {
  const { id, tag, title, body, icon, hash } = note
  const before = (await registration.getNotifications({ tag })).flatMap(idsOf)
  if (before.includes(id)) return
  const data = { ids: [...before, id], hash }
  const options: Options = { tag, body, icon, data, renotify: before.length > 0 }
  await registration.showNotification(title, options)
}

/** Whether a notification of these messages goes: all of them are over, or the newest one, whose text it has, is gone. */
export function isOver(ids: number[], over: readonly number[] | undefined, areGone: boolean): boolean {
  const [newest] = ids.slice(-1)
  return !over || ids.every((id) => over.includes(id)) || (areGone && over.includes(newest ?? 0))
}

/** Closes the notifications of messages that are over; no ids stand for all messages. `areGone`: they were deleted. */
export async function closeNotes(
  registration: ServiceWorkerRegistration,
  over?: readonly number[],
  areGone = false,
) {
  for (const shown of await registration.getNotifications()) {
    const ids = idsOf(shown)
    if (isOver(ids, over, areGone) && (!over || ids.length > 0)) {
      shown.close()
      continue
    }
    const left = ids.filter((id) => !over?.includes(id))
    if (left.length === ids.length) continue
    const { tag, title, body, icon } = shown
    const options: Options = { tag, body, icon, silent: true, data: { ...shown.data, ids: left } }
    await registration.showNotification(title, options)
  }
}

function idsOf({ data }: Notification): number[] {
  return (data as NoteData | undefined)?.ids ?? []
}
