import { post } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { confirm } from '../../parts/dialog.tsx'
import { notice, noticeFailure } from '../../parts/notices.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { unlessAdministrator } from './refusals.ts'
import { useUserRows } from './user-list.ts'
import { personColumns } from './users.tsx'

export function askToReactivate({ user_id: id, full_name: name }: { user_id: number; full_name: string }) {
  confirm(
    {
      title: t('org_users.reactivate'),
      text: t('org_users.reactivate_question', { name }),
      action: t('org_users.reactivate'),
    },
    () =>
      void post(`/users/${id}/reactivate`).then(
        () => notice(t('org_users.reactivated', { name })),
        noticeFailure,
      ),
  )
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
        columns={personColumns()}
        textOf={({ text }) => text}
        empty={t('org_users.all_active')}
        sortedBy={0}
        actions={({ user }) => (
          <button
            type="button"
            class="button"
            disabled={unlessAdministrator() !== undefined}
            title={unlessAdministrator()}
            aria-label={t('org_users.reactivate_this', { name: user.full_name })}
            onClick={() => askToReactivate(user)}
          >
            {t('org_users.reactivate')}
          </button>
        )}
      />
    </>
  )
}
