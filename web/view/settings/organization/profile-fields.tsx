import { Show } from 'solid-js'
import { patch, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { fieldTypes, tooLongForCard } from '../../../lib/profile-fields.ts'
import { byId } from '../../../store/by-id.ts'
import type { ProfileField } from '../../../store/organization-state-types.ts'
import { field } from '../../../store/server-state.ts'
import { confirm, openDialog } from '../../parts/dialog.tsx'
import { noticeFailure } from '../../parts/notices.tsx'
import { List, ListButton, ListText, OrderButtons } from '../parts/list.tsx'
import { Section } from '../parts/section.tsx'
import { FieldDialog } from './profile-field-dialog.tsx'
import { unlessAdministrator } from './refusals.ts'

const fields = byId(() => field('custom_profile_fields'))
const ids = () => [...fields().keys()]

/** What users can say about themselves. */
export function ProfileFields() {
  return (
    <Section note={t('profile_fields.note')}>
      <div class="set-bar">
        <button
          type="button"
          class="button"
          disabled={unlessAdministrator() !== undefined}
          title={unlessAdministrator()}
          onClick={() => openDialog((close) => <FieldDialog close={close} />)}
        >
          {t('profile_fields.new')}
        </button>
      </div>
      <List label={t('org_section.profile_fields')} items={ids()} empty={t('profile_fields.none')}>
        {(id) => <Show when={fields().get(id)}>{(one) => <Row field={one()} />}</Show>}
      </List>
    </Section>
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
  const askToRemove = () =>
    confirm(
      {
        title: t('profile_fields.remove'),
        text: t('profile_fields.remove_question', { name: props.field.name }),
        action: t('org.remove_it'),
      },
      () => void remove(path()).catch(noticeFailure),
    )
  return (
    <>
      <ListText title={props.field.name}>{about().join(' · ')}</ListText>
      <div class="set-list-tools">
        <Show when={!tooLongForCard.includes(props.field.type)}>
          <label class="choice">
            <input
              type="checkbox"
              checked={props.field.display_in_profile_summary ?? false}
              disabled={unlessAdministrator() !== undefined}
              title={unlessAdministrator()}
              onChange={({ currentTarget }) =>
                patch(path(), { display_in_profile_summary: currentTarget.checked }).catch((error) => {
                  currentTarget.checked = !currentTarget.checked
                  noticeFailure(error)
                })
              }
            />{' '}
            {t('profile_fields.in_card')}
          </label>
        </Show>
        <OrderButtons
          name={props.field.name}
          id={props.field.id}
          ids={ids()}
          reason={unlessAdministrator()}
          move={(order) => void patch('/realm/profile_fields', { order }).catch(noticeFailure)}
        />
        <ListButton
          icon="edit"
          label={t('org.edit', { name: props.field.name })}
          reason={unlessAdministrator()}
          run={() => openDialog((close) => <FieldDialog field={props.field} close={close} />)}
        />
        <ListButton
          icon="trash"
          label={t('org.remove', { name: props.field.name })}
          reason={unlessAdministrator()}
          run={askToRemove}
        />
      </div>
    </>
  )
}
