import { For } from 'solid-js'
import { type TextKey, t } from '../../../lib/i18n.ts'
import { ErrorText } from '../../parts/error-text.tsx'
import type { Screen, SettingSpec } from './declare.ts'
import { scopes } from './scopes.ts'
import { Section } from './section.tsx'
import { type Setting, saveChoice, useSetting } from './setting.tsx'

type Matrix = { columns: readonly TextKey[]; rows: readonly { text: TextKey; keys: readonly string[] }[] }

/** Switches in rows and columns. Each has its whole name for those who do not see the table. */
export function MatrixTable(props: {
  scope: Screen['scope']
  title: TextKey
  note?: TextKey | undefined
  matrix: Matrix
  settings: readonly SettingSpec[]
}) {
  const specOf = (key: string) => props.settings.find((one) => one.key === key) as SettingSpec
  return (
    <Section title={t(props.title)} note={props.note && t(props.note)}>
      <table class="set-matrix">
        <thead>
          <tr>
            <td />
            <For each={props.matrix.columns}>{(column) => <th scope="col">{t(column)}</th>}</For>
          </tr>
        </thead>
        <tbody>
          <For each={props.matrix.rows}>
            {(row) => (
              <tr>
                <th scope="row">{t(row.text)}</th>
                <For each={row.keys}>{(key) => <Cell scope={props.scope} spec={specOf(key)} />}</For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </Section>
  )
}

function Cell(props: { scope: Screen['scope']; spec: SettingSpec }) {
  const scope = scopes[props.scope]
  const setting = useSetting(
    () => scope.read(props.spec) === true,
    (value) => scope.send(props.spec, value, null),
  ) as Setting<boolean>
  return (
    <td data-key={props.spec.key}>
      <input
        type="checkbox"
        class="set-check"
        aria-label={t(props.spec.text)}
        title={t(props.spec.text)}
        checked={setting.value()}
        disabled={scope.refusal?.(props.spec) !== undefined}
        onChange={(event) => saveChoice(setting, event.currentTarget.checked)}
      />
      <ErrorText error={setting.error()} />
    </td>
  )
}
