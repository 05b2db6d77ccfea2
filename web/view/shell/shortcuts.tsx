import './shortcuts.css'
import { For } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { shortcutGroups, shownKey } from '../../lib/keys.ts'
import { areSingleKeysOn, turnSingleKeys } from '../../lib/single-keys.ts'
import { Dialog } from '../parts/dialog-panel.tsx'

const groups = ['move', 'go', 'message', 'write'] as const

/** The sheet of all shortcuts. */
export function Shortcuts(props: { close(): void }) {
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
                <For each={shortcutGroups[group]}>
                  {(one) => (
                    <div data-action={one.action}>
                      <dt>{t(textOf(one))}</dt>
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

function textOf(one: (typeof shortcutGroups)[(typeof groups)[number]][number]) {
  return 'text' in one ? one.text : (`keys.${one.action}` as const)
}
