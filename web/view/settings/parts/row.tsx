import { createUniqueId, type JSX, Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { ErrorText } from '../../parts/error-text.tsx'
import { Icon } from '../../parts/icon.tsx'
import type { Setting } from './setting.tsx'

export type RowProps = {
  /** The name by which a link leads to it: `#settings/appearance/color_scheme`. */
  key: string
  label: string
  note?: string | undefined
  /** Why the user may not change it. */
  reason?: string | undefined
}

type Ids = { control: string; note: string; label: string }

/**
 * A line of a screen: the name of a setting and what there is to say about it, what became of saving it, and its control.
 * The control takes the ids for its label and its description.
 */
export function Row<T>(
  props: RowProps & {
    setting?: Setting<T>
    /** The control takes the whole width, below the label. */
    isWide?: boolean
    children(ids: Ids): JSX.Element
  },
) {
  const id = createUniqueId()
  const ids = { control: id, note: `${id}-note`, label: `${id}-label` }
  return (
    <div
      class="set-row"
      classList={{ wide: props.isWide ?? false, refused: props.reason !== undefined }}
      data-key={props.key}
    >
      <label class="set-label" id={ids.label} for={ids.control}>
        {props.label}
      </label>
      <SaveMark setting={props.setting} />
      <div class="set-control">{props.children(ids)}</div>
      <div class="set-about" id={ids.note}>
        <Show when={props.reason ?? props.note}>{(text) => <p class="set-note">{text()}</p>}</Show>
        <ErrorText error={props.setting?.error()} />
      </div>
    </div>
  )
}

/** Says that a setting was saved. What the server has said against it stands below the control. */
function SaveMark<T>(props: { setting?: Setting<T> | undefined }) {
  return (
    <span class="save-mark" role="status">
      <Show when={props.setting?.wasSaved() && !props.setting.error()}>
        <Icon name="check" />
        <span class="visually-hidden">{t('settings.saved')}</span>
      </Show>
    </span>
  )
}
