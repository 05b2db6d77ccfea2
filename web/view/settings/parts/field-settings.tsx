import { createUniqueId } from 'solid-js'
import { CheckBox, SelectField, TextInput } from '../../parts/fields.tsx'
import { type Setting, SettingFrame, SettingNote, saveChoice } from './setting.tsx'

// Settings with one field, for the dialogs of a channel, a user or a bot. A text and an element of a list are saved by a
// button, a switch as it is turned.

type Props<T> = {
  setting: Setting<T>
  label: string
  /** Why the user may not change it. */
  reason?: string | undefined
  note?: string | undefined
}

export function TextSetting(
  props: Props<string> & {
    max?: number
    isRequired?: boolean
    lines?: number
    type?: 'email'
    isCode?: boolean
  },
) {
  const id = createUniqueId()
  return (
    <SettingFrame
      setting={props.setting}
      reason={props.reason}
      note={props.note}
      id={id}
      isIncomplete={(props.isRequired ?? false) && !props.setting.value().trim()}
    >
      <TextInput
        {...props}
        value={props.setting.value()}
        set={props.setting.set}
        isDisabled={props.reason !== undefined}
        isInvalid={props.setting.error() !== undefined}
        describedBy={id}
      />
    </SettingFrame>
  )
}

export function SelectSetting<T extends string | number | null>(
  props: Props<T> & {
    options: readonly (readonly [T, string])[]
    /** Whether a value is shown and cannot be chosen. */
    isRefused?(value: T): boolean
  },
) {
  const id = createUniqueId()
  return (
    <SettingFrame setting={props.setting} reason={props.reason} note={props.note} id={id}>
      <SelectField
        {...props}
        value={props.setting.value()}
        choose={props.setting.set}
        isDisabled={props.reason !== undefined}
        describedBy={id}
      />
    </SettingFrame>
  )
}

export function CheckSetting(props: Props<boolean>) {
  const id = createUniqueId()
  return (
    <div class="setting">
      <CheckBox
        label={props.label}
        isOn={props.setting.value()}
        set={(isOn) => saveChoice(props.setting, isOn)}
        reason={props.reason}
        describedBy={id}
      />
      <SettingNote id={id} error={props.setting.error()} text={props.reason ?? props.note} />
    </div>
  )
}
