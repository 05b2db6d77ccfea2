import { createMemo, Show } from 'solid-js'
import { get, postOnce, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { dateAndTime } from '../../../lib/time.ts'
import { nameOf } from '../../../store/people.ts'
import { ActionButton, IconButton } from '../../parts/action-button.tsx'
import { askFirst } from '../../parts/confirm.tsx'
import { copy } from '../../parts/copy.ts'
import { openDialog } from '../../parts/dialog.tsx'
import { ErrorText } from '../../parts/error-text.tsx'
import { notice } from '../../parts/notices.tsx'
import { useFetched } from '../parts/fetched.ts'
import { ListById, ListText } from '../parts/list.tsx'
import { InvitationMailNote, invitedText } from '../parts/mail-note.tsx'
import { Section } from '../parts/section.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { unlessPermitted } from './refusals.ts'
import { roleName } from './roles.ts'

type Invitation = {
  id: number
  invited_by_user_id: number
  invited: number
  expiry_date: number | null
  invited_as: number
  is_multiuse: boolean
  email?: string
  link_url?: string
}

/** Invitations that are open: those of all users for administrators, their own for others. */
export function Invitations() {
  const invitations = useFetched(
    () => get<{ invites: Invitation[] }>('/invites').then(({ invites }) => invites),
    ['invites_changed'],
  )
  const all = (isLink: boolean) => {
    const found = (invitations.value() ?? []).filter((one) => one.is_multiuse === isLink)
    return new Map(found.map((one) => [one.id, one]))
  }
  const [mailed, links] = [createMemo(() => all(false)), createMemo(() => all(true))]
  return (
    <>
      <p class="set-bar">
        <NewButton isLink={false} />
        <NewButton isLink />
      </p>
      <InvitationMailNote />
      <ErrorText error={invitations.error()} />
      <Show when={invitations.value()}>
        <Section title={t('invitations.by_mail')}>
          <ListById label={t('invitations.by_mail')} things={mailed()} empty={t('invitations.none')}>
            {(one) => <Mailed invitation={one()} />}
          </ListById>
        </Section>
        <Section title={t('invitations.links')} note={t('invitations.links_note')}>
          <ListById label={t('invitations.links')} things={links()} empty={t('invitations.no_links')}>
            {(one) => <Link invitation={one()} />}
          </ListById>
        </Section>
      </Show>
    </>
  )
}

function NewButton(props: { isLink: boolean }) {
  const reason = () =>
    unlessPermitted(props.isLink ? 'realm_create_multiuse_invite_group' : 'realm_can_invite_users_group')
  return (
    <ActionButton
      reason={reason()}
      run={() => openDialog((close) => <InviteDialog isLink={props.isLink} close={close} />)}
    >
      {t(props.isLink ? 'invitations.new_link' : 'invitations.new')}
    </ActionButton>
  )
}

function about(one: Invitation) {
  const when = (seconds: number) => dateAndTime(seconds)
  return [
    roleName(one.invited_as),
    t('invitations.by', { name: nameOf(one.invited_by_user_id), time: when(one.invited) }),
    one.expiry_date === null
      ? t('invitations.never')
      : t('invitations.until', { time: when(one.expiry_date) }),
  ].join(' · ')
}

function revoke(path: string, name: string) {
  askFirst({
    title: t('invitations.revoke'),
    text: t('invitations.revoke_question', { name }),
    action: t('invitations.revoke'),
    run: () => remove(path),
  })
}

function Mailed(props: { invitation: Invitation }) {
  const name = () => props.invitation.email ?? ''
  return (
    <>
      <ListText title={name()}>{about(props.invitation)}</ListText>
      <div class="set-list-tools">
        <IconButton
          icon="send"
          label={t('invitations.resend', { name: name() })}
          run={async () => {
            await postOnce(`/invites/${props.invitation.id}/resend`, {})
            notice(await invitedText(t('invitations.resent', { name: name() })))
          }}
        />
        <IconButton
          icon="trash"
          label={t('invitations.revoke_this', { name: name() })}
          run={() => revoke(`/invites/${props.invitation.id}`, name())}
        />
      </div>
    </>
  )
}

function Link(props: { invitation: Invitation }) {
  const url = () => props.invitation.link_url ?? ''
  return (
    <>
      <ListText title={<span class="set-link">{url() || t('invitations.unknown_link')}</span>}>
        {about(props.invitation)}
      </ListText>
      <div class="set-list-tools">
        <Show when={url()}>
          <IconButton
            icon="copy"
            label={t('invitations.copy')}
            run={() => copy(url(), t('invitations.copied'))}
          />
        </Show>
        <IconButton
          icon="trash"
          label={t('invitations.revoke_this', { name: url() })}
          run={() => revoke(`/invites/multiuse/${props.invitation.id}`, url())}
        />
      </div>
    </>
  )
}
