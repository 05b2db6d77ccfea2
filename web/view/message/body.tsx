import './message.css'
import { ErrorBoundary, Match, Suspense, Switch, untrack } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { route } from '../../lib/router.ts'
import { matchedContent } from '../../store/matches.ts'
import { hasFlag, type Message } from '../../store/messages.ts'
import { isSilenced, reveal } from '../../store/muted-senders.ts'
import { senderName } from '../../store/people.ts'
import { Content } from '../parts/content.tsx'
import { lazyPart } from '../parts/lazy-part.tsx'
import { setFlag } from './commands.ts'
import { editing, setEditing } from './editing.ts'

const EditBox = lazyPart(
  () => import('./edit-box.tsx'),
  'EditBox',
  () => setEditing(undefined),
)
const Widget = lazyPart(() => import('../widgets/widget.tsx'), 'Widget')

/** The narrow in which the message is shown; it does not change while the message is. */
export function shownTerms() {
  const now = untrack(route)
  return now.view === 'narrow' ? now.terms : []
}

/** Shows the content of a message. If it fails, all other messages are still shown. */
export function MessageBody(props: { message: Message }) {
  return (
    <ErrorBoundary
      fallback={(error) => {
        console.error(error)
        return <p class="error-text">{t('message.broken')}</p>
      }}
    >
      <Shown message={props.message} />
    </ErrorBoundary>
  )
}

/** The HTML of its text. One that begins with /me tells what its sender does, with their name in place of that word. */
function told(message: Message): string {
  const html = matchedContent(shownTerms(), message) ?? message.content
  if (!message.is_me_message) return html
  const name = new Option(senderName(message)).innerHTML
  return html.replace('<p>/me ', () => `<p><strong>${name}</strong> `)
}

/** Its text, or the box that edits it, or a poll or list of tasks; or a line if it is folded. */
function Shown(props: { message: Message }) {
  return (
    <Switch fallback={<Content html={told(props.message)} />}>
      <Match when={editing() === props.message.id}>
        <Suspense>
          <EditBox message={props.message} />
        </Suspense>
      </Match>
      <Match when={hasFlag(props.message, 'collapsed')}>
        <Folded show={() => setFlag([props.message.id], 'collapsed', false)}>{t('message.folded')}</Folded>
      </Match>
      <Match when={isSilenced(props.message)}>
        <Folded show={() => reveal(props.message.id)}>{t('message.silenced')}</Folded>
      </Match>
      <Match when={props.message.submessages.some(({ msg_type }) => msg_type === 'widget')}>
        <Suspense fallback={<Content html={props.message.content} />}>
          <Widget message={props.message} />
        </Suspense>
      </Match>
    </Switch>
  )
}

function Folded(props: { show(): void; children: string }) {
  // The message takes the focus, since the button goes.
  const show = (button: HTMLElement) => {
    button.closest('article')?.focus()
    props.show()
  }
  return (
    <button type="button" class="button folded" onClick={({ currentTarget }) => show(currentTarget)}>
      {props.children}
    </button>
  )
}
