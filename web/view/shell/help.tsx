import './shortcuts.css'
import { For } from 'solid-js'
import { type TextKey, t } from '../../lib/i18n.ts'
import { Dialog } from '../parts/dialog-panel.tsx'

/** Each syntax, with the text that explains it. */
const formats: [string, TextKey][] = [
  ['**…**', 'help.bold'],
  ['*…*', 'help.italic'],
  ['~~…~~', 'help.struck'],
  ['`…`', 'help.code'],
  ['```ts', 'help.code_block'],
  ['```spoiler', 'help.spoiler'],
  ['> …', 'help.quote'],
  ['* …', 'help.list'],
  ['[…](https://…)', 'help.link'],
  ['$$…$$', 'help.formula'],
  [':tada:', 'help.emoji'],
  ['@**…**', 'help.mention'],
  ['#**…**', 'help.channel'],
  ['/poll', 'help.poll'],
]

const searches: [string, TextKey][] = [
  ['channel:', 'help.in_channel'],
  ['topic:', 'help.in_topic'],
  ['sender:', 'help.from'],
  ['dm:', 'help.with_people'],
  ['has:image', 'help.has_image'],
  ['has:link', 'help.has_link'],
  ['is:unread', 'help.is_unread'],
  ['is:starred', 'help.is_starred'],
  ['is:mentioned', 'help.is_mentioned'],
  ['date:', 'help.since'],
  ['-…', 'help.without'],
]

/** How messages are formatted and searched. */
export function Help(props: { close(): void }) {
  return (
    <Dialog title={t('help.title')} close={props.close} class="shortcut-sheet">
      <div class="shortcut-groups">
        <List title={t('help.formats')} rows={formats} />
        <List title={t('help.searches')} rows={searches} />
      </div>
    </Dialog>
  )
}

function List(props: { title: string; rows: [string, TextKey][] }) {
  return (
    <section>
      <h3>{props.title}</h3>
      <dl>
        <For each={props.rows}>
          {([typed, text]) => (
            <div>
              <dt>{t(text)}</dt>
              <dd>
                <kbd dir="ltr">{typed}</kbd>
              </dd>
            </div>
          )}
        </For>
      </dl>
    </section>
  )
}
