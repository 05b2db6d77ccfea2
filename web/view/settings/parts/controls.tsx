import { For, Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'
import { TextBox } from '../../parts/fields.tsx'
import {
  type ChoiceSpec,
  type NumberSpec,
  type Option,
  optionsOf,
  type TextSpec,
  type Value,
} from './declare.ts'
import { Row, type RowProps } from './row.tsx'
import { SelectRow } from './select-row.tsx'
import { type Setting, saveChoice } from './setting.tsx'

// The controls of settings. Each saves as soon as a value was chosen, or when the field is left.

export type Props<Spec, T> = RowProps & { spec: Spec; setting: Setting<T> }

export function SwitchControl(props: RowProps & { setting: Setting<boolean> }) {
  return (
    <Row {...props}>
      {(ids) => (
        <input
          type="checkbox"
          role="switch"
          class="switch"
          id={ids.control}
          checked={props.setting.value()}
          aria-checked={props.setting.value()}
          disabled={props.reason !== undefined}
          aria-describedby={ids.note}
          onChange={(event) => saveChoice(props.setting, event.currentTarget.checked)}
        />
      )}
    </Row>
  )
}

/** The elements of a list have texts for values; so do the tests. */
export function byName(options: readonly Option[], text: string): Option | undefined {
  return options.find(({ value }) => String(value) === text)
}

export const nameOf = (option: Option) => ('text' in option ? t(option.text) : option.name)

export function ChoiceControl(props: Props<ChoiceSpec, Value>) {
  const options = () => optionsOf(props.spec, (name) => field(name as 'realm_name'))
  return (
    <Show when={props.spec.isRadio} fallback={<ListControl {...props} options={options()} />}>
      <Row {...props} isWide>
        {(ids) => (
          <div
            class="set-radios"
            role="radiogroup"
            id={ids.control}
            aria-labelledby={ids.label}
            aria-describedby={ids.note}
          >
            <For each={options()}>
              {(option) => (
                <label>
                  <input
                    type="radio"
                    name={ids.control}
                    checked={props.setting.value() === option.value}
                    disabled={props.reason !== undefined}
                    onChange={() => saveChoice(props.setting, option.value)}
                  />
                  {nameOf(option)}
                </label>
              )}
            </For>
          </div>
        )}
      </Row>
    </Show>
  )
}

function ListControl(props: Props<ChoiceSpec, Value> & { options: readonly Option[] }) {
  const options = () => props.options.map((option) => [String(option.value), nameOf(option)] as const)
  const choose = (text: string) => {
    const option = byName(props.options, text)
    if (option) saveChoice(props.setting, option.value)
  }
  return <SelectRow {...props} value={String(props.setting.value())} options={options()} choose={choose} />
}

export function NumberControl(props: Props<NumberSpec, number>) {
  return (
    <Row {...props}>
      {(ids) => (
        <span class="set-number">
          <input
            class="field"
            type="number"
            id={ids.control}
            min={props.spec.min}
            max={props.spec.max}
            step={props.spec.step ?? 1}
            required
            value={props.setting.value()}
            disabled={props.reason !== undefined}
            aria-describedby={ids.note}
            onChange={({ currentTarget }) => {
              if (!currentTarget.reportValidity()) return
              props.setting.set(currentTarget.valueAsNumber)
              void props.setting.save()
            }}
          />
          <Show when={props.spec.unit}>{(unit) => <span>{t(unit())}</span>}</Show>
        </span>
      )}
    </Row>
  )
}

/** Saved when the field is left or on Enter. What the server refuses stays in the field, to be mended. */
export function TextControl(props: Props<TextSpec, string>) {
  return (
    <Row {...props} isWide>
      {(ids) => (
        <TextBox
          id={ids.control}
          lines={props.spec.isLong ? 4 : undefined}
          max={props.spec.max}
          value={props.setting.value() ?? ''}
          set={(value) => props.setting.set(value)}
          onChange={(element) => {
            if (element.reportValidity()) void props.setting.save()
          }}
          isRequired={props.spec.isRequired}
          isDisabled={props.reason !== undefined}
          isInvalid={props.setting.error() !== undefined}
          describedBy={ids.note}
        />
      )}
    </Row>
  )
}
