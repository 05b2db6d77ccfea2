import { createUniqueId, For } from 'solid-js'
import { type Setting, SettingFrame } from '../settings/parts/setting.tsx'

/** A setting that is one of a list. */
export function SelectSetting<T extends string | number | null>(props: {
  setting: Setting<T>
  label: string
  reason: string | undefined
  options: { value: T; name: string }[]
}) {
  const id = createUniqueId()
  return (
    <SettingFrame setting={props.setting} reason={props.reason} id={id}>
      <label>
        {props.label}
        <select
          class="field"
          disabled={props.reason !== undefined}
          aria-describedby={id}
          onChange={(event) => {
            const chosen = props.options[event.currentTarget.selectedIndex]
            if (chosen) props.setting.set(chosen.value)
          }}
        >
          <For each={props.options}>
            {({ value, name }) => <option selected={props.setting.value() === value}>{name}</option>}
          </For>
        </select>
      </label>
    </SettingFrame>
  )
}
