import type { WireEvent } from '../../api/stream.ts'
import { t } from '../../lib/i18n.ts'
import { conversationOf, termsOf } from '../../lib/route.ts'
import { replaceRoute, route } from '../../lib/router.ts'
import { namesMatch } from '../../lib/same-name.ts'
import { shownTopic } from '../../store/channels.ts'
import { moveDraft } from '../../store/drafts.ts'
import { currentState } from '../../store/server-state.ts'
import { onMoves } from '../../store/session.ts'
import { windowOf } from '../../store/windows.ts'
import { conversationName } from '../parts/conversation-name.ts'
import { notice } from '../parts/notices.tsx'

const writingBox = '.writing-place .composer textarea'

/** Lets the view go along when all messages of the open topic move: it is renamed, resolved, or moved elsewhere. */
export function followMoves() {
  onMoves((events) => {
    for (const event of events) if (event.type === 'update_message') follow(event)
  })
}

function follow(event: WireEvent) {
  const now = route()
  if (now.view !== 'narrow') return
  const ownId = currentState().user_id
  const here = conversationOf(now.terms, ownId)
  if (!here || !('channelId' in here) || here.channelId !== event.stream_id) return
  const { orig_subject, subject, new_stream_id } = event
  const before = String(orig_subject ?? here.topic)
  if (!namesMatch(before, here.topic)) return
  const to = {
    channelId: typeof new_stream_id === 'number' ? new_stream_id : here.channelId,
    topic: typeof subject === 'string' ? subject : here.topic,
  }
  const hasMoved = to.channelId !== here.channelId || to.topic !== here.topic
  const { anchor, ids } = windowOf(now.terms)
  // While the messages are being read, none are there, although some may have stayed.
  const isLeft = anchor() === undefined ? event.propagate_mode === 'change_all' : ids().length === 0
  if (!hasMoved || !isLeft) return
  // The draft for the topic moves as well, and the user continues to write.
  const writeOn = holdCursor()
  moveDraft(here, to)
  replaceRoute({ view: 'narrow', terms: termsOf(to, ownId) })
  writeOn()
  const isElsewhere = to.channelId !== here.channelId
  const topic = isElsewhere ? conversationName(to) : shownTopic(to.topic)
  notice(t('feed.followed_move', { topic }), { kind: 'move' })
}

/** Returns what puts the cursor where it was, once the box of another view has taken the place of the one that has it. */
function holdCursor(): () => void {
  const before = document.activeElement
  if (!(before instanceof HTMLTextAreaElement) || !before.matches(writingBox)) return () => {}
  const { selectionStart, selectionEnd } = before
  return () => {
    const box = document.querySelector<HTMLTextAreaElement>(writingBox)
    if (before.isConnected || !box) return
    box.focus({ preventScroll: true })
    box.setSelectionRange(selectionStart, selectionEnd)
  }
}
