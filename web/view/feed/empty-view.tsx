import { Show } from 'solid-js'
import { type TextKey, t } from '../../lib/i18n.ts'
import { isSearch } from '../../lib/is-search.ts'
import { type Conversation, channelOfTerm, type Term, wholeChannel } from '../../lib/route.ts'
import { linkTo } from '../../lib/router.ts'
import { canRead } from '../../store/channel-rights.ts'
import { channelOf } from '../../store/channels.ts'
import { missingFrom } from '../../store/missing.ts'
import { mayNotSend } from '../compose/permission.ts'

/** In place of the messages of a view that has none: what is missing, and what to do next, unless the user may not. */
export function EmptyView(props: { terms: Term[]; conversation: Conversation | undefined }) {
  /** An administrator sees a private channel without being able to read it. */
  const isHidden = () => {
    const channel = channelOf(channelOfTerm(props.terms[0]) ?? 0)
    return channel !== undefined && !canRead(channel)
  }
  const missing = () => missingFrom(props.terms) ?? (isHidden() ? 'refused.unknown' : undefined)
  const next = () => nextStep(props.terms, props.conversation !== undefined)
  /** What is searched for, if that was within a conversation or a channel. */
  const rest = () => props.terms.filter(({ operator }) => !/^(channel|topic|dm)$/.test(operator))
  const isNarrower = () => rest().length < props.terms.length && isSearch(rest())
  const isClosed = () => {
    const channelId = wholeChannel(props.terms)
    const to = props.conversation ?? (channelId === undefined ? undefined : { channelId, topic: '' })
    return to !== undefined && mayNotSend(to) !== undefined
  }
  return (
    <div class="empty">
      <h2>{t(missing() ?? (next() === 'feed.empty_search' ? 'feed.nothing' : 'feed.empty'))}</h2>
      <Show when={!missing() && !isClosed()}>
        <p>{t(next())}</p>
      </Show>
      <Show when={isNarrower()}>
        <a class="button" href={linkTo({ view: 'narrow', terms: rest() })}>
          {t('feed.search_all')}
        </a>
      </Show>
    </div>
  )
}

function nextStep([first, second]: Term[], isConversation: boolean): TextKey {
  if (isConversation) return 'feed.empty_conversation'
  if (!first) return 'feed.empty_all'
  if (second) return 'feed.empty_search'
  if (first.operator === 'channel') return 'feed.empty_channel'
  const texts: Record<string, TextKey> = {
    starred: 'feed.empty_starred',
    mentioned: 'feed.empty_mentions',
    dm: 'feed.empty_directs',
  }
  return (first.operator === 'is' && texts[String(first.operand)]) || 'feed.empty_search'
}
