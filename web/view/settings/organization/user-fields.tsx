import { createUniqueId, For, Match, Show, Switch } from 'solid-js'
import { patch } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { optionsIn } from '../../../lib/profile-fields.ts'
import { byId } from '../../../store/by-id.ts'
import type { ProfileField } from '../../../store/organization-state-types.ts'
import { users } from '../../../store/people.ts'
import { field } from '../../../store/server-state.ts'
import { Principals } from '../parts/principals.tsx'
import { type Setting, SettingFrame, useSetting } from '../parts/setting.tsx'

const fields = byId(() => field('custom_profile_fields'))

type Value = string | number[]

/** Edits the fields that a user fills in about themselves, for administrators. */
export function UserFields(props: { userId: number }) {
  return (
    <For each={[...fields().keys()]}>
      {(id) => (
        <Show when={fields().get(id)}>{(one) => <UserField userId={props.userId} field={one()} />}</Show>
      )}
    </For>
  )
}

const types = { long: 2, select: 3, date: 4, people: 6 } as const

function UserField(props: { userId: number; field: ProfileField }) {
  const id = createUniqueId()
  const saved = (): Value => {
    const value = users().get(props.userId)?.profile_data?.[props.field.id]?.value ?? ''
    if (props.field.type !== types.people) return value
    return value === '' ? [] : JSON.parse(value)
  }
  const setting = useSetting<Value>(saved, (value) =>
    patch(`/users/${props.userId}`, { profile_data: [{ id: props.field.id, value }] }),
  )
  return (
    <SettingFrame setting={setting} id={id} note={props.field.hint || undefined}>
      <Show
        when={props.field.type !== types.people}
        fallback={
          <Principals
            label={props.field.name}
            chosen={{ direct_members: setting.value() as number[], direct_subgroups: [] }}
            change={({ direct_members }) => setting.set(direct_members)}
            takes={(option) => 'userId' in option}
            describedBy={id}
          />
        }
      >
        <label for={`${id}-input`}>
          <span dir="auto">{props.field.name}</span>
        </label>
        <Input id={`${id}-input`} field={props.field} setting={setting as Setting<string>} describedBy={id} />
      </Show>
    </SettingFrame>
  )
}

function Input(props: { id: string; field: ProfileField; setting: Setting<string>; describedBy: string }) {
  const set = (event: { currentTarget: { value: string } }) => props.setting.set(event.currentTarget.value)
  return (
    <Switch
      fallback={
        <input
          class="field"
          dir="auto"
          type={props.field.type === types.date ? 'date' : 'text'}
          id={props.id}
          aria-describedby={props.describedBy}
          value={props.setting.value()}
          onInput={set}
        />
      }
    >
      <Match when={props.field.type === types.long}>
        <textarea
          class="field"
          dir="auto"
          rows="3"
          maxlength="500"
          id={props.id}
          aria-describedby={props.describedBy}
          value={props.setting.value()}
          onInput={set}
        />
      </Match>
      <Match when={props.field.type === types.select}>
        <select class="field" id={props.id} aria-describedby={props.describedBy} onChange={set}>
          <option value="">{t('org_users.no_choice')}</option>
          <For each={optionsIn(props.field.field_data)}>
            {({ value, text }) => (
              <option value={value} selected={props.setting.value() === value}>
                {text}
              </option>
            )}
          </For>
        </select>
      </Match>
    </Switch>
  )
}
