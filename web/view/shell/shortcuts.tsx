import './shortcuts.css'
import { For } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { type KeyGroup, shortcuts, shownKey } from '../../lib/keys.ts'
import { areSingleKeysOn, turnSingleKeys } from '../../lib/single-keys.ts'
import { Dialog } from '../parts/dialog-panel.tsx'

const groups: KeyGroup[] = ['move', 'go', 'message', 'write']

/** The sheet of all shortcuts. */
export function Shortcuts(props: { close(): void }) {
  const of = (group: KeyGroup) => shortcuts.filter((one) => one.group === group)
  return (
    <Dialog title={t('keys.help')} close={props.close} class="shortcut-sheet">
      <p class="shortcut-note">{t('keys.note')}</p>
      <label class="single-keys">
        <input
          type="checkbox"
          checked={areSingleKeysOn()}
          onChange={(event) => turnSingleKeys(event.currentTarget.checked)}
        />
        {t('keys.single')}
      </label>
      <div class="shortcut-groups">
        <For each={groups}>
          {(group) => (
            <section>
              <h3>{t(`keys.group_${group}`)}</h3>
              <dl>
                <For each={of(group)}>
                  {(one) => (
                    <div data-action={one.action}>
                      <dt>{t(one.text)}</dt>
                      <dd>
                        <For each={one.keys}>{(key) => <kbd>{shownKey(key)}</kbd>}</For>
                      </dd>
                    </div>
                  )}
                </For>
              </dl>
            </section>
          )}
        </For>
      </div>
    </Dialog>
  )
}
