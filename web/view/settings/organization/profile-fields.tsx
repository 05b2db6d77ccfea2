import { Show } from 'solid-js'
import { patch, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { fieldTypes, tooLongForCard } from '../../../lib/profile-fields.ts'
import { byId } from '../../../store/by-id.ts'
import type { ProfileField } from '../../../store/organization-state-types.ts'
import { field } from '../../../store/server-state.ts'
import { EditButton, ListCheck, ListSection, ListText, RemoveButton } from '../parts/list.tsx'
import { OrderButtons } from '../parts/order-buttons.tsx'
import { FieldDialog } from './profile-field-dialog.tsx'
import { unlessAdministrator } from './refusals.ts'

const fields = byId(() => field('custom_profile_fields'))
const ids = () => [...fields().keys()]

/** Edits the fields that users can fill in about themselves. */
export function ProfileFields() {
  return (
    <ListSection
      note={t('profile_fields.note')}
      label={t('org_section.profile_fields')}
      things={fields()}
      empty={t('profile_fields.none')}
      add={{
        text: t('profile_fields.new'),
        reason: unlessAdministrator(),
        dialog: (close) => <FieldDialog close={close} />,
      }}
    >
      {(one) => <Row field={one()} />}
    </ListSection>
  )
}

function Row(props: { field: ProfileField }) {
  const path = () => `/realm/profile_fields/${props.field.id}`
  const about = () => [
    t(fieldTypes[props.field.type as 1]),
    ...(props.field.required ? [t('profile_fields.is_required')] : []),
    ...(props.field.editable_by_user ? [] : [t('profile_fields.not_by_user')]),
    ...(props.field.hint ? [props.field.hint] : []),
  ]
  return (
    <>
      <ListText title={props.field.name}>{about().join(' · ')}</ListText>
      <div class="set-list-tools">
        <Show when={!tooLongForCard.includes(props.field.type)}>
          <ListCheck
            label={t('profile_fields.in_card')}
            isOn={props.field.display_in_profile_summary ?? false}
            reason={unlessAdministrator()}
            save={(isOn) => patch(path(), { display_in_profile_summary: isOn })}
          />
        </Show>
        <OrderButtons
          name={props.field.name}
          id={props.field.id}
          ids={ids()}
          reason={unlessAdministrator()}
          move={(order) => patch('/realm/profile_fields', { order })}
        />
        <EditButton
          name={props.field.name}
          reason={unlessAdministrator()}
          dialog={(close) => <FieldDialog field={props.field} close={close} />}
        />
        <RemoveButton
          name={props.field.name}
          reason={unlessAdministrator()}
          question={{
            title: t('profile_fields.remove'),
            text: t('profile_fields.remove_question', { name: props.field.name }),
          }}
          remove={() => remove(path())}
        />
      </div>
    </>
  )
}
