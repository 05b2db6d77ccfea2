import { createMemo, createResource, createSignal, For, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { Dialog } from '../parts/dialog-panel.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { byName, namedLike, PeopleFilter, shownAtMost } from './find-people.tsx'
import { PersonButton } from './person-button.tsx'

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
          const found = createMemo(() => namedLike(byName(all), words()))
          return (
            <>
              <Show when={all.length > 10}>
                <PeopleFilter set={setWords} />
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
