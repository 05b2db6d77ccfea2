import { createEffect, createRoot, on } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { type Conversation, conversationKey, conversationOf, termsOf } from '../../lib/route.ts'
import { goTo, route } from '../../lib/router.ts'
import { type Outgoing, outgoing } from '../../store/outbox.ts'
import { currentState } from '../../store/server-state.ts'
import { conversationName } from '../parts/conversation-name.ts'
import { notice } from '../parts/notices.tsx'

/** Tells of a message that was not sent, where the open view does not show it. */
export function tellUnsent() {
  createRoot(() =>
    createEffect(
      on(outgoing, (now, before = []) => {
        const known = new Set(before.filter(isFailed).map(({ localId }) => localId))
        for (const one of now)
          if (isFailed(one) && !known.has(one.localId) && !isShown(one.conversation)) tell(one)
      }),
    ),
  )
}

const isFailed = ({ status }: Outgoing) => status === 'failed'

/** Whether the open view shows what is sent to a conversation. Feeds and the drafts show all that was not sent. */
function isShown(conversation: Conversation) {
  const now = route()
  if (now.view === 'drafts') return true
  if (now.view !== 'narrow') return false
  const here = conversationOf(now.terms, currentState().user_id)
  return !here || conversationKey(here) === conversationKey(conversation)
}

function tell({ conversation, reason = '' }: Outgoing) {
  const show = () => goTo({ view: 'narrow', terms: termsOf(conversation, currentState().user_id) })
  const text = t('message.failed_to', { name: conversationName(conversation), reason })
  notice(text, { isFailure: true, offer: { label: t('schedule.show'), run: show } })
}
