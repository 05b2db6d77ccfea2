import './organization.css'
import { For, Show } from 'solid-js'
import { patch, post, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { nameOf, users } from '../../../store/people.ts'
import { currentState, field } from '../../../store/server-state.ts'
import type { User } from '../../../store/server-state-types.ts'
import { confirm, Dialog, openDialog } from '../../parts/dialog.tsx'
import { notice, noticeFailure } from '../../parts/notices.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { ListButton } from '../parts/list.tsx'
import { Principals } from '../parts/principals.tsx'
import { Section } from '../parts/section.tsx'
import { SettingFrame, useSetting } from '../parts/setting.tsx'
import { roleName, rolesToGive } from './roles.ts'
import { byName, type UserRow, useUserRows } from './user-list.ts'
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
    { name: t('org_users.name'), compare: byName, show: (row) => <PersonCell row={row} /> },
    { name: t('org_bots.owner'), compare: (a, b) => ownerOf(a).localeCompare(ownerOf(b)), show: ownerOf },
    {
      name: t('org_bots.type'),
      isExtra: true,
      compare: (a, b) => (a.user.bot_type ?? 0) - (b.user.bot_type ?? 0) || byName(a, b),
      show: ({ user }) => typeOf(user),
    },
  ]
}

const textOf = ({ text }: UserRow) => text

/** All bots of the organization. */
export function Bots() {
  const bots = useUserRows('realm_users', true)
  const goneBots = useUserRows('realm_non_active_users', true)
  return (
    <>
      <Section note={t('org_bots.note')}>
        <DataTable
          label={t('org_section.bots')}
          rows={bots()}
          columns={botColumns()}
          textOf={textOf}
          empty={t('org_bots.none')}
          sortedBy={0}
          actions={({ user }) => (
            <ListButton
              icon="edit"
              label={t('org.edit', { name: user.full_name })}
              reason={reasonFor(user)}
              run={() => openDialog((close) => <BotDialog botId={user.user_id} close={close} />)}
            />
          )}
        />
      </Section>
      <Show when={goneBots().length > 0}>
        <Section title={t('org_bots.gone')}>
          <DataTable
            label={t('org_bots.gone')}
            rows={goneBots()}
            columns={botColumns()}
            textOf={textOf}
            empty={t('org_bots.none')}
            sortedBy={0}
            actions={({ user }) => (
              <ListButton
                icon="history"
                label={t('org_users.reactivate_this', { name: user.full_name })}
                reason={reasonFor(user)}
                run={() => reactivate(user)}
              />
            )}
          />
        </Section>
      </Show>
    </>
  )
}

function reactivate({ user_id: id, full_name: name }: User) {
  void post(`/users/${id}/reactivate`).then(() => notice(t('org_users.reactivated', { name })), noticeFailure)
}

function BotDialog(props: { botId: number; close(): void }) {
  const bot = () => users().get(props.botId)
  const askToDeactivate = () => {
    props.close()
    const name = bot()?.full_name ?? ''
    confirm(
      {
        title: t('org_bots.deactivate'),
        text: t('org_bots.deactivate_question', { name }),
        action: t('org_bots.deactivate'),
      },
      () => void remove(`/bots/${props.botId}`).catch(noticeFailure),
    )
  }
  return (
    <Dialog title={bot()?.full_name ?? ''} close={props.close}>
      <div class="settings set-form">
        <Name botId={props.botId} />
        <Owner botId={props.botId} />
        <Show when={field('is_admin')}>
          <Role botId={props.botId} />
        </Show>
        <div class="panel-actions">
          <button type="button" class="button danger" onClick={askToDeactivate}>
            {t('org_bots.deactivate')}
          </button>
        </div>
      </div>
    </Dialog>
  )
}

function Name(props: { botId: number }) {
  const setting = useSetting(
    () => users().get(props.botId)?.full_name ?? '',
    (value) => patch(`/bots/${props.botId}`, { full_name: value }),
    (value) => value.trim(),
  )
  return (
    <SettingFrame setting={setting} id="bot-name" isIncomplete={setting.value().trim() === ''}>
      <label>
        {t('org_users.name')}
        <input
          class="field"
          dir="auto"
          maxlength="100"
          aria-describedby="bot-name"
          value={setting.value()}
          onInput={(event) => setting.set(event.currentTarget.value)}
        />
      </label>
    </SettingFrame>
  )
}

/** The user who keeps the bot. The one who is chosen last takes the place of the one before. */
function Owner(props: { botId: number }) {
  const setting = useSetting<number | null>(
    () => users().get(props.botId)?.bot_owner_id ?? null,
    (value) => patch(`/bots/${props.botId}`, { bot_owner_id: value }),
  )
  const chosen = () => (setting.value() === null ? [] : [setting.value() as number])
  return (
    <SettingFrame setting={setting} id="bot-owner" isIncomplete={setting.value() === null}>
      <span class="setting-name" aria-hidden="true">
        {t('org_bots.owner')}
      </span>
      <Principals
        label={t('org_bots.owner')}
        chosen={{ direct_members: chosen(), direct_subgroups: [] }}
        change={({ direct_members: ids }) => setting.set(ids.find((id) => id !== setting.value()) ?? null)}
        takes={(option) => 'userId' in option && !users().get(option.userId)?.is_bot}
        describedBy="bot-owner"
      />
    </SettingFrame>
  )
}

function Role(props: { botId: number }) {
  const setting = useSetting(
    () => users().get(props.botId)?.role ?? 400,
    (value) => patch(`/bots/${props.botId}`, { role: value }),
  )
  return (
    <SettingFrame setting={setting} id="bot-role" note={t('org_bots.role_note')}>
      <label>
        {t('org_users.role')}
        <select
          class="field"
          aria-describedby="bot-role"
          onChange={(event) => setting.set(Number(event.currentTarget.value))}
        >
          <For each={rolesToGive()}>
            {(role) => (
              <option value={role} selected={setting.value() === role}>
                {roleName(role)}
              </option>
            )}
          </For>
        </select>
      </label>
    </SettingFrame>
  )
}
