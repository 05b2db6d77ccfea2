import { type JSX, Show } from 'solid-js'
import { get } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { Icon } from '../../parts/icon.tsx'
import { useFetched } from './fetched.ts'

type Mail = { is_sent: boolean }

let asked: Promise<Mail> | undefined

/** Several notes of a page ask once. */
function askOfMail() {
  asked ??= get<Mail>('/rookery/mail').finally(() => {
    asked = undefined
  })
  return asked
}

/** Returns the text for a user who has invited others by mail: `sent`, where mails are sent. */
export async function invitedText(sent = t('mail.invited')): Promise<string> {
  // The invitations are made, whether or not this can be asked.
  const { is_sent } = await askOfMail().catch(() => ({ is_sent: true }))
  return is_sent ? sent : t('mail.invited_waiting')
}

/** Says that the mails of this screen will wait, where the server has no mail server yet. `children`: what else the user can do. */
export function MailNote(props: { children?: JSX.Element }) {
  const mail = useFetched(askOfMail)
  return (
    <Show when={mail.value()?.is_sent === false}>
      <p class="set-warning">
        <Icon name="warning" />
        <span>
          {t('mail.not_sent')} {props.children}
        </span>
      </p>
    </Show>
  )
}

/** The note for invitations, which also names the way that needs no mail. */
export function InvitationMailNote() {
  return (
    <MailNote>
      <a href="#organization/users">{t('mail.create_users')}</a>
    </MailNote>
  )
}
