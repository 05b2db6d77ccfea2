import { type JSX, Show } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { Icon } from '../parts/icon.tsx'

/** Someone or something that is chosen, with a button that takes it away. `children`: its picture or icon. */
export function Pill(props: {
  name: string
  isFixed?: boolean | undefined
  remove(): void
  children: JSX.Element
}) {
  return (
    <span class="pill">
      {props.children}
      <span dir="auto">{props.name}</span>
      <Show when={!props.isFixed}>
        <button
          type="button"
          aria-label={t('begin.remove', { name: props.name })}
          onClick={() => props.remove()}
        >
          <Icon name="close" />
        </button>
      </Show>
    </span>
  )
}

/** A line of what is suggested. `children`: the picture or icon before its name. */
export function SuggestionLine(props: { name: string; note: string; children: JSX.Element }) {
  return (
    <>
      <span class="suggestion-sign">{props.children}</span>
      <span class="suggestion-label" dir="auto">
        {props.name}
      </span>
      <span class="suggestion-note" dir="auto">
        {props.note}
      </span>
    </>
  )
}
