import { Show } from 'solid-js'
import { shortAge } from '../../lib/time.ts'
import { senderName } from '../../store/people.ts'
import { previewOf } from '../../store/previews.ts'
import { now } from '../parts/clock.ts'
import { excerptOf } from '../parts/excerpt.ts'

/** How much of a message is in the page, in characters; the row shows what fits. */
const excerpt = 200

/** A line of a message: who wrote it, and what. */
export function MessagePreview(props: { id: number; withName: boolean }) {
  const text = () => {
    const found = previewOf(props.id)
    if (!found) return ''
    const words = excerptOf(found).slice(0, excerpt)
    return props.withName && !found.is_me_message ? `${senderName(found)}: ${words}` : words
  }
  return (
    <span class="inbox-preview" dir="auto">
      {text()}
    </span>
  )
}

/** How long ago a message was sent. */
export function Age(props: { id: number }) {
  return (
    <Show when={previewOf(props.id)}>
      {(found) => <span class="inbox-note inbox-age">{shortAge(found().timestamp, now())}</span>}
    </Show>
  )
}
