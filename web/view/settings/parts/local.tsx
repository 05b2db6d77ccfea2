import { createSignal } from 'solid-js'
import type { SettingSpec, Value } from './declare.ts'
import { useSetting } from './setting.tsx'
import { SettingRow } from './settings-table.tsx'

/** A setting of this browser alone, which `keep` writes down. */
export function LocalSetting(props: { spec: SettingSpec; value: Value; keep(value: Value): void }) {
  const [value, setValue] = createSignal<Value>(props.value)
  const setting = useSetting<Value>(value, async (next) => {
    props.keep(next)
    setValue(next)
  })
  return <SettingRow spec={props.spec} setting={setting as Parameters<typeof SettingRow>[0]['setting']} />
}
