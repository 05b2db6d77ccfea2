import './organization.css'
import { createSignal, For, Show } from 'solid-js'
import { post } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { mayAddSubscribers } from '../../../store/channel-rights.ts'
import { channels } from '../../../store/channels.ts'
import { mayAddMembers } from '../../../store/group-rights.ts'
import { field } from '../../../store/server-state.ts'
import { Dialog, openDialog } from '../../parts/dialog.tsx'
import { notice } from '../../parts/notices.tsx'
import { CopiedLink } from '../parts/copied-link.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { roleName, roles, rolesToGive } from './roles.ts'

const day = 24 * 60
const validities = [
  [day, 'invitations.day'],
  [3 * day, 'invitations.three_days'],
  [10 * day, 'invitations.ten_days'],
  [30 * day, 'invitations.thirty_days'],
  [null, 'invitations.forever'],
] as const

/** Invites people by mail, or makes a link that anyone can use who has it. */
export function InviteDialog(props: { isLink: boolean; close(): void }) {
  const [emails, setEmails] = createSignal('')
  const [minutes, setMinutes] = createSignal<number | null>(10 * day)
  const [role, setRole] = createSignal<number>(roles.member)
  const [takesDefaults, setTakesDefaults] = createSignal(true)
  const [tells, setTells] = createSignal(true)
  const [channelIds, setChannelIds] = createSignal<number[]>([])
  const [groupIds, setGroupIds] = createSignal<number[]>([])
  const send = async () => {
    const terms = {
      invite_expires_in_minutes: minutes(),
      invite_as: role(),
      stream_ids: channelIds(),
      group_ids: groupIds(),
      include_realm_default_subscriptions: takesDefaults(),
    }
    if (props.isLink) {
      const { invite_link: url } = await post<{ invite_link: string }>('/invites/multiuse', terms)
      openDialog((close) => <NewLink url={url} close={close} />)
    } else {
      await post('/invites', { invitee_emails: emails(), ...terms, notify_referrer_on_join: tells() })
      notice(t('invitations.sent'))
    }
  }
  return (
    <FormDialog
      title={t(props.isLink ? 'invitations.new_link' : 'invitations.new')}
      action={t(props.isLink ? 'invitations.make_link' : 'invitations.send')}
      isIncomplete={!props.isLink && emails().trim() === ''}
      send={send}
      close={props.close}
    >
      <Show when={!props.isLink}>
        <label>
          {t('invitations.emails')}
          <textarea
            class="field"
            dir="ltr"
            rows="3"
            autofocus
            value={emails()}
            onInput={(event) => setEmails(event.currentTarget.value)}
          />
        </label>
      </Show>
      <label>
        {t('invitations.valid')}
        <select
          class="field"
          onChange={({ currentTarget }) => setMinutes(validities[currentTarget.selectedIndex]?.[0] ?? null)}
        >
          <For each={validities}>
            {([value, key]) => <option selected={value === minutes()}>{t(key)}</option>}
          </For>
        </select>
      </label>
      <label>
        {t('invitations.role')}
        <select class="field" onChange={(event) => setRole(Number(event.currentTarget.value))}>
          <For each={rolesToGive()}>
            {(one) => (
              <option value={one} selected={one === role()}>
                {roleName(one)}
              </option>
            )}
          </For>
        </select>
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={takesDefaults()}
          onChange={(event) => setTakesDefaults(event.currentTarget.checked)}
        />
        {t('invitations.defaults')}
      </label>
      <Picks
        legend={t('invitations.channels')}
        options={channelOptions(takesDefaults())}
        chosen={channelIds()}
        choose={setChannelIds}
      />
      <Picks
        legend={t('invitations.groups')}
        options={groupOptions()}
        chosen={groupIds()}
        choose={setGroupIds}
      />
      <Show when={!props.isLink}>
        <label class="choice">
          <input
            type="checkbox"
            checked={tells()}
            onChange={(event) => setTells(event.currentTarget.checked)}
          />
          {t('invitations.tell_me')}
        </label>
      </Show>
    </FormDialog>
  )
}

type Option = { id: number; name: string }

const byName = (a: Option, b: Option) => a.name.localeCompare(b.name)

/** `takesDefaults`: the default channels are chosen together. */
function channelOptions(takesDefaults: boolean): Option[] {
  const defaults = new Set(takesDefaults ? field('realm_default_streams') : [])
  return [...channels().values()]
    .filter((one) => !one.is_archived && !defaults.has(one.stream_id) && mayAddSubscribers(one))
    .map(({ stream_id, name }) => ({ id: stream_id, name: `#${name}` }))
    .sort(byName)
}

function groupOptions(): Option[] {
  return (field('realm_user_groups') ?? [])
    .filter((one) => !one.deactivated && mayAddMembers(one))
    .map(({ id, name }) => ({ id, name }))
    .sort(byName)
}

function Picks(props: { legend: string; options: Option[]; chosen: number[]; choose(ids: number[]): void }) {
  const toggle = (id: number, isOn: boolean) =>
    props.choose(isOn ? [...props.chosen, id] : props.chosen.filter((other) => other !== id))
  return (
    <Show when={props.options.length > 0}>
      <details class="set-picks">
        <summary>
          {props.legend}
          <Show when={props.chosen.length > 0}> ({props.chosen.length})</Show>
        </summary>
        <fieldset aria-label={props.legend}>
          <For each={props.options}>
            {(one) => (
              <label class="choice">
                <input
                  type="checkbox"
                  checked={props.chosen.includes(one.id)}
                  onChange={(event) => toggle(one.id, event.currentTarget.checked)}
                />
                <span dir="auto">{one.name}</span>
              </label>
            )}
          </For>
        </fieldset>
      </details>
    </Show>
  )
}

function NewLink(props: { url: string; close(): void }) {
  return (
    <Dialog title={t('invitations.link_made')} close={props.close}>
      <p class="set-note">{t('invitations.links_note')}</p>
      <CopiedLink url={props.url} copied={props.close} />
    </Dialog>
  )
}
