import type { AccountRow } from '../../../db/schema.ts'
import { realmUrl, type Site } from '../../../lib/site.ts'
import type { Change } from '../../../log/change.ts'
import type { RealmLog } from '../../../log/realm-log.ts'
import { type Rendered, render } from '../../../markdown/render.ts'
import { noticeLookup } from './markdown-lookup.ts'
import { notificationBot, postNotices } from './post-notice.ts'

/** Sends each of these users a direct message of the Notification Bot, as a part of a change. */
export async function notifyPeople(
  change: Change,
  userIds: number[],
  message: { content: string; rendered: Rendered },
) {
  const botId = notificationBot(change.state).id
  const pairs = userIds.map((userId) => [botId, userId].sort((a, b) => a - b))
  const found = pairs.map((pair) => change.state.conversationByUsers(pair.join()))
  const missing = pairs.filter((_, i) => !found[i])
  const begun = await change.insertAll(
    'recipient',
    missing.map((user_ids) => ({ user_ids })),
  )
  const recipients = [...found.flatMap((known) => known ?? []), ...begun]
  await postNotices(
    change,
    recipients.map(({ id }) => ({ recipientId: id, topic: '', ...message })),
  )
}

/** Prepares a message of the Notification Bot to one user. Returns a function that sends it as a part of a change. */
export function noticeTo(
  { log: { state }, site }: { log: RealmLog; site: Site },
  person: AccountRow,
  content: string,
): (change: Change) => Promise<void> {
  const rendered = render(content, noticeLookup(state, realmUrl(site, state.row), person))
  return (change) => notifyPeople(change, [person.id], { content, rendered })
}
