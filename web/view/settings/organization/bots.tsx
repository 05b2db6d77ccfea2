import { inOrder } from '../../../lib/in-order.ts'
import { IconButton } from '../../parts/action-button.tsx'
import './organization.css'
import { type Accessor, type JSX, Show } from 'solid-js'
import { t } from '../../../lib/i18n.ts'
import { nameOf } from '../../../store/people.ts'
import { currentState, field } from '../../../store/server-state.ts'
import type { User } from '../../../store/server-state-types.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { EditButton } from '../parts/list.tsx'
import { Section } from '../parts/section.tsx'
import { BotDialog } from './bot-dialog.tsx'
import { reactivate } from './deactivated.tsx'
import { byName, idOf, type UserRow, useUserRows } from './user-list.ts'
import { PersonCell } from './users.tsx'

const types: Record<
  number,
  'org_bot_type.generic' | 'org_bot_type.incoming' | 'org_bot_type.outgoing' | 'org_bot_type.embedded'
> = {
  1: 'org_bot_type.generic',
  2: 'org_bot_type.incoming',
  3: 'org_bot_type.outgoing',
  4: 'org_bot_type.embedded',
}

const typeOf = ({ bot_type: type }: User) => t(types[type ?? 1] ?? 'org_bot_type.generic')
const ownerOf = ({ user }: UserRow) =>
  user.bot_owner_id ? nameOf(user.bot_owner_id) : t('org_bots.no_owner')

/** Administrators keep all bots, others their own. */
function reasonFor(bot: User) {
  const isOwn = bot.bot_owner_id === currentState().user_id
  return field('is_admin') || isOwn ? undefined : t('org_bots.only_owner')
}

function botColumns(): Column<UserRow>[] {
  return [
    { name: t('org_users.name'), compare: byName, show: (row) => <PersonCell row={row()} /> },
    {
      name: t('org_bots.owner'),
      compare: (a, b) => inOrder(ownerOf(a), ownerOf(b)),
      show: (row) => ownerOf(row()),
    },
    {
      name: t('org_bots.type'),
      isExtra: true,
      compare: (a, b) => (a.user.bot_type ?? 0) - (b.user.bot_type ?? 0) || byName(a, b),
      show: (row) => typeOf(row().user),
    },
  ]
}

/** By the id alone: the row may go while the dialog is open. */
const botDialog = (botId: number, close: () => void) => <BotDialog botId={botId} close={close} />

/** All bots of the organization. */
export function Bots() {
  const bots = useUserRows('realm_users', true)
  const goneBots = useUserRows('realm_non_active_users', true)
  return (
    <>
      <Section>
        <p class="set-note">
          {t('org_bots.note')} <a href="#settings/bots">{t('org_bots.new')}</a>
        </p>
        <BotTable
          label={t('org_section.bots')}
          rows={bots()}
          action={(row) => (
            <EditButton
              name={row().user.full_name}
              reason={reasonFor(row().user)}
              dialog={(close) => botDialog(idOf(row()), close)}
            />
          )}
        />
      </Section>
      <Show when={goneBots().length > 0}>
        <Section title={t('org_bots.gone')}>
          <BotTable
            label={t('org_bots.gone')}
            rows={goneBots()}
            action={(row) => (
              <IconButton
                icon="history"
                label={t('org_users.reactivate_this', { name: row().user.full_name })}
                reason={reasonFor(row().user)}
                run={() => reactivate(row().user)}
              />
            )}
          />
        </Section>
      </Show>
    </>
  )
}

function BotTable(props: { label: string; rows: UserRow[]; action(row: Accessor<UserRow>): JSX.Element }) {
  return (
    <DataTable
      label={props.label}
      rows={props.rows}
      idOf={idOf}
      columns={botColumns()}
      textOf={({ text }) => text}
      empty={t('org_bots.none')}
      sortedBy={0}
      actions={(row) => props.action(row)}
    />
  )
}
