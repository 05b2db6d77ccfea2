import { post } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { askFirst } from '../../parts/confirm.tsx'
import { notice } from '../../parts/notices.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { unlessAdministrator } from './refusals.ts'
import { idOf, useUserRows } from './user-list.ts'
import { personColumns } from './users.tsx'

type Gone = { user_id: number; full_name: string }

export async function reactivate({ user_id: id, full_name: name }: Gone) {
  await post(`/users/${id}/reactivate`)
  notice(t('org_users.reactivated', { name }))
}

function askToReactivate(user: Gone) {
  askFirst({
    title: t('org_users.reactivate'),
    text: t('org_users.reactivate_question', { name: user.full_name }),
    action: t('org_users.reactivate'),
    run: () => reactivate(user),
  })
}

/** Users who can no longer sign in. */
export function Deactivated() {
  const gonePeople = useUserRows('realm_non_active_users', false)
  return (
    <>
      <p class="set-note" role="status">
        {t('people.count', { count: gonePeople().length })}
      </p>
      <DataTable
        label={t('org_section.deactivated')}
        rows={gonePeople()}
        idOf={idOf}
        columns={personColumns()}
        textOf={({ text }) => text}
        empty={t('org_users.all_active')}
        sortedBy={0}
        actions={(row) => (
          <ActionButton
            reason={unlessAdministrator()}
            label={t('org_users.reactivate_this', { name: row().user.full_name })}
            run={() => askToReactivate(row().user)}
          >
            {t('org_users.reactivate')}
          </ActionButton>
        )}
      />
    </>
  )
}
