import { createMemo, For } from 'solid-js'
import { withValue } from '../../parts/fields.tsx'
import { Row, type RowProps } from './row.tsx'
import type { Setting } from './setting.tsx'

/** A line with a list of options: their values as texts, as the elements of a list have them, and their names. */
export function SelectRow<T>(
  props: RowProps & {
    setting: Setting<T>
    value: string
    options: readonly (readonly [value: string, name: string])[]
    choose(value: string): void
  },
) {
  const options = createMemo(() => new Map(withValue(props.options, props.value)))
  return (
    <Row {...props}>
      {(ids) => (
        <select
          class="field"
          id={ids.control}
          disabled={props.reason !== undefined}
          aria-describedby={ids.note}
          onChange={(event) => props.choose(event.currentTarget.value)}
        >
          {/* By values: an event may make the options anew while the list is open. */}
          <For each={[...options().keys()]}>
            {(value) => (
              <option value={value} selected={value === props.value}>
                {options().get(value)}
              </option>
            )}
          </For>
        </select>
      )}
    </Row>
  )
}
