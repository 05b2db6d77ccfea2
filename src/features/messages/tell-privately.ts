import type { AccountRow } from '../../db/schema.ts'
import { realmUrl, type Site } from '../../lib/site.ts'
import type { Change } from '../../log/change.ts'
import type { RealmLog } from '../../log/realm-log.ts'
import { render } from '../../markdown/render.ts'
import { markdownLookup } from './markdown-lookup.ts'
import { notificationBot, postNotice } from './post-notice.ts'
import { openConversation } from './recipients.ts'

/** Makes ready what the Notification Bot is to tell one person; what it answers says it, as a part of a change. */
export async function noticeTo(
  { log, site }: { log: RealmLog; site: Site },
  person: AccountRow,
  content: string,
): Promise<(change: Change) => Promise<number>> {
  const { state } = log
  const people = [notificationBot(state), person].sort((a, b) => a.id - b.id)
  const conversation = await openConversation(state, log.commit, people)
  const rendered = render(content, markdownLookup(state, realmUrl(site, state.realm)))
  return (change) => postNotice(change, { recipientId: conversation.id, topic: '', content, rendered })
}
