import './organization.css'
import { createMemo, createSignal, For, Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { shortAge } from '../../../lib/time.ts'
import { avatarOf } from '../../../store/people.ts'
import { currentState } from '../../../store/server-state.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { now } from '../../parts/clock.ts'
import { openDialog } from '../../parts/dialog.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { EditButton } from '../parts/list.tsx'
import { NewUserDialog } from './new-user-dialog.tsx'
import { unlessAdministrator } from './refusals.ts'
import { roleName, roles } from './roles.ts'
import { UserDialog } from './user-dialog.tsx'
import { byName, byRole, bySeen, idOf, seenAt, type UserRow, useUserRows } from './user-list.ts'

/** A user's picture, name and address, as tables show them. */
export function PersonCell(props: { row: UserRow }) {
  const email = () => props.row.user.delivery_email ?? ''
  return (
    <div class="data-person">
      <img
        class="avatar"
        style={{ '--avatar-size': '32px' }}
        loading="lazy"
        src={avatarOf(props.row.user.user_id)}
        alt=""
      />
      <span dir="auto">
        {props.row.user.full_name}
        <Show when={props.row.user.user_id === currentState().user_id}> {t('org_users.you')}</Show>
        <small dir="ltr">{email()}</small>
      </span>
    </div>
  )
}

/** The columns of the tables of users. */
export function personColumns(): Column<UserRow>[] {
  return [
    { name: t('org_users.name'), compare: byName, show: (row) => <PersonCell row={row()} /> },
    { name: t('org_users.role'), compare: byRole, show: (row) => roleName(row().user.role) },
  ]
}

const textOf = ({ text }: UserRow) => text

/** By the id alone: the row may go while the dialog is open. */
const userDialog = (userId: number, close: () => void) => <UserDialog userId={userId} close={close} />

/** The people of the organization. */
export function Users() {
  const people = useUserRows('realm_users', false)
  const [role, setRole] = createSignal<number>()
  const found = createMemo(() =>
    role() === undefined ? people() : people().filter(({ user }) => user.role === role()),
  )
  const seen: Column<UserRow> = {
    name: t('org_users.seen'),
    isExtra: true,
    compare: bySeen,
    show: (row) => (seenAt(row()) ? shortAge(seenAt(row()), now()) : t('org_users.not_lately')),
  }
  return (
    <>
      <p class="set-note" role="status">
        {t('people.count', { count: found().length })}
      </p>
      <DataTable
        label={t('org_section.users')}
        rows={found()}
        idOf={idOf}
        columns={[...personColumns(), seen]}
        textOf={textOf}
        empty={t('org_users.none')}
        sortedBy={0}
        tools={<Tools setRole={setRole} />}
        actions={(row) => (
          <EditButton
            name={row().user.full_name}
            reason={unlessAdministrator()}
            dialog={(close) => userDialog(idOf(row()), close)}
          />
        )}
      />
    </>
  )
}

function Tools(props: { setRole(role: number | undefined): void }) {
  return (
    <>
      <select
        class="field"
        aria-label={t('org_users.role')}
        onChange={({ currentTarget: { value } }) => props.setRole(value ? Number(value) : undefined)}
      >
        <option value="">{t('org_users.all_roles')}</option>
        <For each={Object.values(roles)}>{(one) => <option value={one}>{roleName(one)}</option>}</For>
      </select>
      <ActionButton
        reason={unlessAdministrator()}
        run={() => openDialog((close) => <NewUserDialog close={close} />)}
      >
        {t('org_users.new')}
      </ActionButton>
    </>
  )
}
