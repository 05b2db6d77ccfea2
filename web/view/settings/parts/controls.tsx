import { createEffect, createSignal, For, on, Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'
import type { UserGroup } from '../../../store/server-state-types.ts'
import {
  type ChoiceSpec,
  type DurationSpec,
  type GroupSpec,
  type NumberSpec,
  type Option,
  optionsOf,
  type TextSpec,
  type Value,
} from './declare.ts'
import type { Chosen } from './group-names.ts'
import { Principals } from './principals.tsx'
import { Row, type RowProps, SaveButtons } from './row.tsx'
import type { Setting } from './setting.tsx'
import { SystemGroupControl } from './system-group.tsx'

// The controls of settings. Each saves as soon as a value was chosen, or when the field is left.

type Props<Spec, T> = RowProps & { spec: Spec; setting: Setting<T> }

function choose<T>(setting: Setting<T>, value: T) {
  setting.set(value)
  void setting.save({ orRevert: true })
}

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
          onChange={(event) => choose(props.setting, event.currentTarget.checked)}
        />
      )}
    </Row>
  )
}

/** The elements of a list have texts for values; so do the tests. */
function byName(options: readonly Option[], text: string): Option | undefined {
  return options.find(({ value }) => String(value) === text)
}

const nameOf = (option: Option) => ('text' in option ? t(option.text) : option.name)

export function ChoiceControl(props: Props<ChoiceSpec, Value>) {
  const options = () => optionsOf(props.spec, (name) => field(name as 'realm_name'))
  return (
    <Show when={props.spec.isRadio} fallback={<SelectRow {...props} options={options()} />}>
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
                    onChange={() => choose(props.setting, option.value)}
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

function SelectRow(props: Props<ChoiceSpec, Value> & { options: readonly Option[] }) {
  const at = () => props.options.findIndex(({ value }) => value === props.setting.value())
  return (
    <Row {...props}>
      {(ids) => (
        <select
          class="field"
          id={ids.control}
          disabled={props.reason !== undefined}
          aria-describedby={ids.note}
          onChange={(event) => {
            const option = byName(props.options, event.currentTarget.value)
            if (option) choose(props.setting, option.value)
          }}
        >
          {/* A value that the client does not know is shown as it is. */}
          <Show when={at() < 0}>
            <option value={String(props.setting.value())} selected>
              {String(props.setting.value())}
            </option>
          </Show>
          <For each={props.options}>
            {(option, index) => (
              <option value={String(option.value)} selected={index() === at()}>
                {nameOf(option)}
              </option>
            )}
          </For>
        </select>
      )}
    </Row>
  )
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
  const shared = (ids: { control: string; note: string }) => ({
    class: 'field',
    dir: 'auto' as const,
    id: ids.control,
    maxlength: props.spec.max,
    required: props.spec.isRequired ?? false,
    value: props.setting.value() ?? '',
    disabled: props.reason !== undefined,
    'aria-describedby': ids.note,
    'aria-invalid': props.setting.error() !== undefined,
    onInput: (event: { currentTarget: { value: string } }) => props.setting.set(event.currentTarget.value),
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => {
      if (currentTarget.reportValidity()) void props.setting.save()
    },
  })
  return (
    <Row {...props} isWide>
      {(ids) => (
        <Show when={props.spec.isLong} fallback={<input {...shared(ids)} />}>
          <textarea rows="4" {...shared(ids)} />
        </Show>
      )}
    </Row>
  )
}

/** A list of usual times, and a field for any other. */
export function DurationControl(props: Props<DurationSpec, Value>) {
  const { custom } = props.spec
  const isListed = () => props.spec.options.some(({ value }) => value === props.setting.value())
  const [isTyping, setTyping] = createSignal(!isListed())
  const typed = () => Number(props.setting.value() ?? 0) / custom.factor || custom.min
  let list!: HTMLSelectElement
  let input: HTMLInputElement | undefined
  // One of the list that was chosen elsewhere, or typed, is shown in the list.
  createEffect(
    on(
      () => props.setting.value(),
      () => {
        if (!isTyping() || !isListed()) return
        const hadFocus = document.activeElement === input
        setTyping(false)
        if (hadFocus) list.focus()
      },
      { defer: true },
    ),
  )
  const at = () => props.spec.options.findIndex(({ value }) => value === props.setting.value())
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
            onChange={(event) => {
              const option = byName(props.spec.options, event.currentTarget.value)
              setTyping(!option)
              if (option) choose(props.setting, option.value)
            }}
          >
            <For each={props.spec.options}>
              {(option, index) => (
                <option value={String(option.value)} selected={!isTyping() && index() === at()}>
                  {nameOf(option)}
                </option>
              )}
            </For>
            <option value="custom" selected={isTyping() || at() < 0}>
              {t('settings.other_time')}
            </option>
          </select>
          <Show when={isTyping() || at() < 0}>
            <input
              ref={input}
              class="field"
              type="number"
              min={custom.min}
              max={custom.max}
              required
              value={typed()}
              disabled={props.reason !== undefined}
              aria-label={`${props.label}: ${t(custom.unit)}`}
              aria-describedby={ids.note}
              onChange={({ currentTarget }) => {
                if (!currentTarget.reportValidity()) return
                props.setting.set(Math.round(currentTarget.valueAsNumber * custom.factor))
                void props.setting.save()
              }}
            />
            <span>{t(custom.unit)}</span>
          </Show>
        </span>
      )}
    </Row>
  )
}

type Supported = Record<
  string,
  { allow_everyone_group: boolean; require_system_group?: boolean; allowed_system_groups?: string[] }
>

/** Who may do something. Saved by a button, as several are chosen one after the other. */
export function GroupControl(props: Props<GroupSpec, Chosen>) {
  const supported = () => {
    const { kind, name } = props.spec.permission ?? { kind: 'realm', name: props.spec.key }
    const all = field('server_supported_permission_settings') as unknown as Record<string, Supported>
    return all[kind]?.[name]
  }
  const takes = (group: UserGroup) =>
    group.name !== 'role:everyone' || (supported()?.allow_everyone_group ?? true)
  return (
    <Show
      when={!supported()?.require_system_group}
      fallback={<SystemGroupControl {...props} allowed={supported()?.allowed_system_groups ?? []} />}
    >
      <Row {...props} isWide>
        {(ids) => (
          <>
            <Principals
              label={props.label}
              chosen={props.setting.value()}
              change={props.setting.set}
              empty={t('group.nobody')}
              isDisabled={props.reason !== undefined}
              describedBy={ids.note}
              takes={(option) => !('group' in option) || takes(option.group)}
            />
            <SaveButtons setting={props.setting} />
          </>
        )}
      </Row>
    </Show>
  )
}
