import './settings-table.css'
import { For, Match, Show, Switch } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import type { GroupSetting } from '../../../store/server-state-types.ts'
import { ChoiceControl, NumberControl, SwitchControl, TextControl } from './controls.tsx'
import type { Screen, SettingSpec, SettingValue } from './declare.ts'
import { DurationControl } from './duration-control.tsx'
import { GroupControl } from './group-control.tsx'
import { chosenOf } from './group-names.ts'
import { scopes } from './scopes.ts'
import { Section } from './section.tsx'
import { type Setting, useSetting } from './setting.tsx'

/** Shows the settings of a screen by their table. */
export function SettingsTable(props: { screen: Screen }) {
  return (
    <For each={props.screen.groups}>
      {(group) => (
        <Section title={group.title && t(group.title)} note={group.note && t(group.note)}>
          <For each={group.settings}>
            {(spec) => (
              <Show when={spec.isOffered?.() ?? true}>
                <DeclaredSetting scope={props.screen.scope} spec={spec} />
              </Show>
            )}
          </For>
        </Section>
      )}
    </For>
  )
}

/** One setting of a table, which is saved as it is changed. */
export function DeclaredSetting(props: { scope: Screen['scope']; spec: SettingSpec }) {
  const { spec } = props
  const scope = scopes[props.scope]
  // Groups as one form, so that equal ones are equal texts.
  const inForm = (value: SettingValue) => (spec.kind === 'group' ? chosenOf(value as GroupSetting) : value)
  const setting = useSetting<SettingValue>(
    () => inForm(scope.read(spec)),
    (value, base) => scope.send(spec, value, base),
  )
  const reason = () => {
    const key = scope.refusal?.(spec) ?? spec.refusal?.()
    return key && t(key)
  }
  return <SettingRow spec={spec} setting={setting} reason={reason()} />
}

/** A setting of a given kind with its label, wherever its value comes from. */
export function SettingRow(props: {
  spec: SettingSpec
  setting: Setting<SettingValue>
  reason?: string | undefined
}) {
  const shared = () => ({
    key: props.spec.key,
    label: t(props.spec.text),
    note: props.spec.note && t(props.spec.note),
    reason: props.reason,
  })
  const is = <Kind extends SettingSpec['kind']>(kind: Kind) =>
    props.spec.kind === kind ? (props.spec as Extract<SettingSpec, { kind: Kind }>) : undefined
  const as = <T,>() => props.setting as unknown as Setting<T>
  return (
    <Switch>
      <Match when={is('switch')}>
        <SwitchControl {...shared()} setting={as<boolean>()} />
      </Match>
      <Match when={is('choice')}>
        {(spec) => <ChoiceControl {...shared()} spec={spec()} setting={as()} />}
      </Match>
      <Match when={is('number')}>
        {(spec) => <NumberControl {...shared()} spec={spec()} setting={as()} />}
      </Match>
      <Match when={is('text')}>{(spec) => <TextControl {...shared()} spec={spec()} setting={as()} />}</Match>
      <Match when={is('duration')}>
        {(spec) => <DurationControl {...shared()} spec={spec()} setting={as()} />}
      </Match>
      <Match when={is('group')}>
        {(spec) => <GroupControl {...shared()} spec={spec()} setting={as()} />}
      </Match>
    </Switch>
  )
}
