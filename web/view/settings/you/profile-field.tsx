import { Match, Switch } from 'solid-js'
import { patch } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import type { ProfileField } from '../../../store/organization-state-types.ts'
import { me } from '../../../store/people.ts'
import { field } from '../../../store/server-state.ts'
import { Known } from '../../parts/known.tsx'
import { TextControl } from '../parts/controls.tsx'
import { Principals } from '../parts/principals.tsx'
import { Row, type RowProps } from '../parts/row.tsx'
import { SelectRow } from '../parts/select-row.tsx'
import { SaveButtons, type Setting, useSetting } from '../parts/setting.tsx'

/** The kinds of fields, as the API numbers them. */
const kinds = { long: 2, select: 3, date: 4, url: 5, people: 6 }
const longest = { short: 50, long: 500, url: 2048 }

/** The user's value of a field that the organization has in profiles. */
export function ProfileFieldRow(props: { fieldId: number }) {
  const one = () => field('custom_profile_fields').find(({ id }) => id === props.fieldId)
  const value = useSetting(
    () => me()?.profile_data?.[props.fieldId]?.value ?? '',
    (text) =>
      patch('/users/me/profile_data', {
        data: [{ id: props.fieldId, value: one()?.type === kinds.people ? JSON.parse(text || '[]') : text }],
      }),
  )
  return <Known thing={one()}>{(shown) => <Control field={shown()} setting={value} />}</Known>
}

type Props = { field: ProfileField; setting: Setting<string> }

function Control(props: Props) {
  const row = () => ({
    key: `field-${props.field.id}`,
    label: props.field.required ? t('profile.required', { name: props.field.name }) : props.field.name,
    note: props.field.hint || undefined,
    reason: props.field.editable_by_user || field('is_admin') ? undefined : t('profile.not_editable'),
    setting: props.setting,
  })
  const max = () =>
    ({ [kinds.long]: longest.long, [kinds.url]: longest.url })[props.field.type] ?? longest.short
  const isOf = (kind: number) => props.field.type === kind
  return (
    <Switch fallback={<TextControl {...row()} spec={{ ...noSpec, max: max(), isLong: isOf(kinds.long) }} />}>
      <Match when={isOf(kinds.date)}>
        <DateControl {...row()} />
      </Match>
      <Match when={isOf(kinds.select)}>
        <SelectRow
          {...row()}
          value={props.setting.value()}
          options={[['', ''], ...optionsOf(props.field)]}
          choose={(value) => choose(props.setting, value)}
        />
      </Match>
      <Match when={isOf(kinds.people)}>
        <PeopleControl {...row()} name={props.field.name} />
      </Match>
    </Switch>
  )
}

type ControlProps = RowProps & { setting: Setting<string> }

function DateControl(props: ControlProps) {
  return (
    <Row {...props}>
      {(ids) => (
        <input
          class="field"
          type="date"
          id={ids.control}
          value={props.setting.value()}
          disabled={props.reason !== undefined}
          aria-describedby={ids.note}
          onChange={(event) => choose(props.setting, event.currentTarget.value)}
        />
      )}
    </Row>
  )
}

/** The value is a list of ids, as JSON. */
function PeopleControl(props: ControlProps & { name: string }) {
  return (
    <Row {...props} isWide>
      {(ids) => (
        <>
          <Principals
            label={props.name}
            chosen={{ direct_members: JSON.parse(props.setting.value() || '[]'), direct_subgroups: [] }}
            change={({ direct_members }) => props.setting.set(JSON.stringify(direct_members))}
            isDisabled={props.reason !== undefined}
            describedBy={ids.note}
            takes={(option) => !('group' in option)}
          />
          <SaveButtons setting={props.setting} />
        </>
      )}
    </Row>
  )
}

/** A field of a profile has its own name, and no key of a text. */
const noSpec = { key: '', kind: 'text', text: 'profile.fields' } as const

function choose(setting: Setting<string>, value: string) {
  setting.set(value)
  void setting.save()
}

/** The choices of a field: their keys and texts, in the order that the organization has given them. */
function optionsOf({ field_data }: ProfileField): [string, string][] {
  const choices: Record<string, { text: string; order: string }> = JSON.parse(field_data || '{}')
  return Object.entries(choices)
    .sort(([, a], [, b]) => Number(a.order) - Number(b.order))
    .map(([key, { text }]) => [key, text])
}
