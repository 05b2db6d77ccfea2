import { createMemo, createResource, createSignal, For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { nameOf } from '../../store/people.ts'
import { Loaded } from '../message/message-dialogs.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { PersonButton } from './person-button.tsx'

/** How many people are listed; the others are found by their names. */
const shownAtMost = 200

/** A list of people: who has read a message, who is in a channel. */
export function PeopleDialog(props: {
  title: string
  empty: string
  load(): Promise<number[]>
  close(): void
}) {
  const [ids] = createResource(() => props.load())
  const [words, setWords] = createSignal('')
  return (
    <Dialog title={props.title} close={props.close}>
      <Loaded resource={ids}>
        {(all) => {
          const found = createMemo(() => {
            const lowered = words().toLowerCase()
            return all
              .filter((id) => nameOf(id).toLowerCase().includes(lowered))
              .sort((a, b) => nameOf(a).localeCompare(nameOf(b)))
          })
          return (
            <>
              <Show when={all.length > 10}>
                <input
                  class="field"
                  type="search"
                  placeholder={t('people.filter')}
                  aria-label={t('people.filter')}
                  onInput={(event) => setWords(event.currentTarget.value)}
                />
              </Show>
              <p class="inbox-note">
                {all.length === 0 ? props.empty : t('people.count', { count: all.length })}
              </p>
              <ul class="people-list">
                <For each={found().slice(0, shownAtMost)}>
                  {(id) => (
                    <li>
                      <PersonButton id={id} />
                    </li>
                  )}
                </For>
              </ul>
            </>
          )
        }}
      </Loaded>
    </Dialog>
  )
}
