import type { AccountRow } from '../../../../db/schema.ts'
import type { Change } from '../../../../log/change.ts'
import { emptyLookup } from '../../../../markdown/lookup.ts'
import { type Rendered, render } from '../../../../markdown/render.ts'
import { postNotice } from '../../../kernel/messages/post-notice.ts'
import { systemBots } from '../../../kernel/settings/system-bots.ts'

const text = `Hello, and welcome!

* People talk in **channels**. Every message there has a **topic**, so that many conversations can go on side by side.
* Reply to a message to stay in its topic; name a new one to begin something new.
* What you write to one person or to a few, like here, is a **direct message**.

Nobody else reads this conversation, so it is a good place to try things out.`

/** Sends the Welcome Bot's message to a new user, in the change that creates the account. */
export async function welcome(change: Change, user: AccountRow) {
  const bot = change.state.userByEmail(systemBots.welcome.email)
  if (!bot) throw new Error(`realm ${change.state.id} has no Welcome Bot`)
  const { id } = await change.insert('recipient', { user_ids: [bot.id, user.id].sort((a, b) => a - b) })
  rendered ??= render(text, emptyLookup)
  await postNotice(change, { recipientId: id, topic: '', content: text, rendered, senderId: bot.id })
}

/** The text contains no names, so it is the same everywhere and rendered once. */
let rendered: Rendered | undefined
