import { createEffect, createRoot, createSignal } from 'solid-js'
import { keepAlso, type Message, message } from './messages.ts'
import { mutedUsers } from './people.ts'
import { readMessages } from './read-messages.ts'
import { unreadDirects, unreadTopics } from './unread.ts'

// The newest unread message of each conversation, which the inbox shows a line of. Most were loaded already or came as
// events; the others are fetched together by their ids.

/** How many one request asks for, and for how many conversations there are previews. */
const perRequest = 200
const shownAtMost = 1000

/** Rises when messages have come. */
const [loads, setLoads] = createRoot(() => createSignal(0))
/** The ids that were asked for, so that a message that does not come is not asked for again. */
let asked = new Set<number>()

function wanted(): number[] {
  const all = [...unreadDirects(), ...unreadTopics()].map(({ newest }) => newest)
  return all.slice(0, shownAtMost)
}

keepAlso(wanted)

/** Loads the previews as long as the caller is shown. */
export function loadPreviews() {
  asked = new Set()
  createEffect(() => {
    loads()
    const missing = wanted().filter((id) => !message(id) && !asked.has(id))
    if (missing.length > 0) void load(missing.slice(0, perRequest))
  })
}

async function load(ids: number[]) {
  for (const id of ids) asked.add(id)
  const params = { message_ids: ids, client_gravatar: false, allow_empty_topic_name: true }
  // Without them the inbox shows no lines, and is of use all the same.
  await readMessages(params, () => setLoads((count) => count + 1)).catch(() => {})
}

/** A message of which the inbox shows a line; none of users whom this user has muted. */
export function previewOf(id: number): Message | undefined {
  loads()
  const found = message(id)
  return found && !mutedUsers().has(found.sender_id) ? found : undefined
}
