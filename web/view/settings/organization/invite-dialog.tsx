import { inOrder } from '../../../lib/in-order.ts'
import './organization.css'
import { createMemo, createSignal, For, Show } from 'solid-js'
import { postOnce } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { mayAddSubscribers } from '../../../store/channel-rights.ts'
import { channels } from '../../../store/channels.ts'
import { mayAddMembers } from '../../../store/group-rights.ts'
import { field } from '../../../store/server-state.ts'
import { openDialog } from '../../parts/dialog.tsx'
import { Dialog } from '../../parts/dialog-panel.tsx'
import { CheckBox, SelectField, TextInput } from '../../parts/fields.tsx'
import { notice } from '../../parts/notices.tsx'
import { useIsHere } from '../../parts/submission.ts'
import { CopiedLink } from '../parts/copied-link.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { inviteByMail } from '../parts/invite-by-mail.ts'
import { roleName, roles, rolesToGive } from './roles.ts'

const day = 24 * 60
const validities = [
  [day, 'invitations.day'],
  [3 * day, 'invitations.three_days'],
  [10 * day, 'invitations.ten_days'],
  [30 * day, 'invitations.thirty_days'],
  [null, 'invitations.forever'],
] as const

/** The values of the form: the guests, the duration, and the rights and channels of those who come. */
type Terms = {
  emails: string
  minutes: number | null
  role: number
  takesDefaults: boolean
  channelIds: number[]
  groupIds: number[]
  /** Whether the user is told when someone has joined. */
  tells: boolean
}

const usualTerms: Terms = {
  emails: '',
  minutes: 10 * day,
  role: roles.member,
  takesDefaults: true,
  channelIds: [],
  groupIds: [],
  tells: true,
}

/** Invites people by mail, or makes a link that anyone can use who has it. */
export function InviteDialog(props: { isLink: boolean; close(): void }) {
  const [terms, setTerms] = createSignal<Terms>(usualTerms)
  const isHere = useIsHere()
  const change = (changed: Partial<Terms>) => setTerms((all) => ({ ...all, ...changed }))
  return (
    <FormDialog
      title={t(props.isLink ? 'invitations.new_link' : 'invitations.new')}
      submit={t(props.isLink ? 'invitations.make_link' : 'invitations.send')}
      isIncomplete={!props.isLink && terms().emails.trim() === ''}
      send={() => (props.isLink ? makeLink(terms(), isHere) : invite(terms()))}
      close={props.close}
    >
      <Show when={!props.isLink}>
        <TextInput
          label={t('invitations.emails')}
          value={terms().emails}
          set={(emails) => change({ emails })}
          lines={3}
          isCode
          isFirst
        />
      </Show>
      <SelectField
        label={t('invitations.valid')}
        value={terms().minutes}
        options={validities.map(([minutes, key]) => [minutes, t(key)])}
        choose={(minutes) => change({ minutes })}
      />
      <SelectField
        label={t('invitations.role')}
        value={terms().role}
        options={rolesToGive().map((role) => [role, roleName(role)])}
        choose={(role) => change({ role })}
      />
      <Places terms={terms()} change={change} />
      <Show when={!props.isLink}>
        <CheckBox label={t('invitations.tell_me')} isOn={terms().tells} set={(tells) => change({ tells })} />
      </Show>
    </FormDialog>
  )
}

/** The channels and groups that those who are invited get. */
function Places(props: { terms: Terms; change(changed: Partial<Terms>): void }) {
  return (
    <>
      <CheckBox
        label={t('invitations.defaults')}
        isOn={props.terms.takesDefaults}
        set={(takesDefaults) => props.change({ takesDefaults })}
      />
      <Picks
        legend={t('invitations.channels')}
        options={channelOptions(props.terms.takesDefaults)}
        chosen={props.terms.channelIds}
        choose={(channelIds) => props.change({ channelIds })}
      />
      <Picks
        legend={t('invitations.groups')}
        options={groupOptions()}
        chosen={props.terms.groupIds}
        choose={(groupIds) => props.change({ groupIds })}
      />
    </>
  )
}

function paramsOf({ minutes, role, channelIds, groupIds, takesDefaults }: Terms) {
  return {
    invite_expires_in_minutes: minutes,
    invite_as: role,
    stream_ids: channelIds,
    group_ids: groupIds,
    include_realm_default_subscriptions: takesDefaults,
  }
}

async function makeLink(terms: Terms, isWanted: () => boolean) {
  const { invite_link: url } = await postOnce<{ invite_link: string }>('/invites/multiuse', paramsOf(terms))
  if (isWanted()) openDialog((close) => <NewLink url={url} close={close} />)
}

async function invite(terms: Terms) {
  notice(await inviteByMail(terms.emails, { ...paramsOf(terms), notify_referrer_on_join: terms.tells }))
}

type Option = { id: number; name: string }

const byName = (a: Option, b: Option) => inOrder(a.name, b.name)

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

/** By ids: the options are made anew with each event, and a box that is about to be pressed stays. */
function Picks(props: { legend: string; options: Option[]; chosen: number[]; choose(ids: number[]): void }) {
  const names = createMemo(() => new Map(props.options.map(({ id, name }) => [id, name])))
  const toggle = (id: number, isOn: boolean) =>
    props.choose(isOn ? [...props.chosen, id] : props.chosen.filter((other) => other !== id))
  return (
    <Show when={names().size > 0}>
      <details class="set-picks">
        <summary>
          {props.legend}
          <Show when={props.chosen.length > 0}> ({props.chosen.length})</Show>
        </summary>
        <fieldset aria-label={props.legend}>
          <For each={[...names().keys()]}>
            {(id) => (
              <CheckBox
                label={names().get(id) ?? ''}
                isOn={props.chosen.includes(id)}
                set={(isOn) => toggle(id, isOn)}
              />
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
