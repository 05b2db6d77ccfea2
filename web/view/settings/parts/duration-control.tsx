import { createEffect, createSignal, For, on, Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { byName, type Props as ControlProps, nameOf } from './controls.tsx'
import type { DurationSpec, Value } from './declare.ts'
import { Row } from './row.tsx'
import { saveChoice } from './setting.tsx'

type Props = ControlProps<DurationSpec, Value>

/** A list of usual times, and a field for any other. */
export function DurationControl(props: Props) {
  const at = () => props.spec.options.findIndex(({ value }) => value === props.setting.value())
  const [isTyping, setTyping] = createSignal(at() < 0)
  let list!: HTMLSelectElement
  let input: HTMLInputElement | undefined
  // One of the list that was chosen elsewhere, or typed, is shown in the list.
  const follow = () => {
    if (!isTyping() || at() < 0) return
    const hadFocus = document.activeElement === input
    setTyping(false)
    if (hadFocus) list.focus()
  }
  createEffect(on(() => props.setting.value(), follow, { defer: true }))
  const choose = (name: string) => {
    const option = byName(props.spec.options, name)
    setTyping(!option)
    if (option) saveChoice(props.setting, option.value)
  }
  return (
    <Row {...props}>
      {(ids) => (
        <span class="set-number">
          <select
            ref={list}
            class="field"
            id={ids.control}
            disabled={props.reason !== undefined}
            aria-describedby={ids.note}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            <Options spec={props.spec} at={isTyping() ? -1 : at()} />
          </select>
          <Show when={isTyping() || at() < 0}>
            <TypedTime
              {...props}
              describedBy={ids.note}
              ref={(made) => {
                input = made
              }}
            />
          </Show>
        </span>
      )}
    </Row>
  )
}

/** `at`: which of the times is chosen; -1 for one that is typed. */
function Options(props: { spec: DurationSpec; at: number }) {
  return (
    <>
      <For each={props.spec.options}>
        {(option, index) => (
          <option value={String(option.value)} selected={index() === props.at}>
            {nameOf(option)}
          </option>
        )}
      </For>
      <option value="custom" selected={props.at < 0}>
        {t('settings.other_time')}
      </option>
    </>
  )
}

function TypedTime(props: Props & { describedBy: string; ref(input: HTMLInputElement): void }) {
  const { factor, unit, min, max } = props.spec.custom
  return (
    <>
      <input
        ref={props.ref}
        class="field"
        type="number"
        min={min}
        max={max}
        required
        value={Number(props.setting.value() ?? 0) / factor || min}
        disabled={props.reason !== undefined}
        aria-label={`${props.label}: ${t(unit)}`}
        aria-describedby={props.describedBy}
        onChange={({ currentTarget }) => {
          if (!currentTarget.reportValidity()) return
          props.setting.set(Math.round(currentTarget.valueAsNumber * factor))
          void props.setting.save()
        }}
      />
      <span>{t(unit)}</span>
    </>
  )
}
