import { createSignal, Show } from 'solid-js'
import { patch, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { me } from '../../../store/people.ts'
import { field } from '../../../store/server-state.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { askFirst } from '../../parts/confirm.tsx'
import { CurrentPassword, TextInput } from '../../parts/fields.tsx'
import { useTyped } from '../../parts/submission.ts'
import { leaveBy } from '../../shell/signed-out.tsx'
import { AddForm } from '../parts/add-form.tsx'
import { MailNote } from '../parts/mail-note.tsx'
import { Section } from '../parts/section.tsx'

/** Address and password, and leaving the organization. */
export function Account() {
  return (
    <>
      <Address />
      <Password />
      <Leaving />
    </>
  )
}

/** The user's address, which changes when the link in a mail is opened. */
export function Address() {
  const email = useTyped('')
  const [sentTo, setSentTo] = createSignal<string>()
  /** Whether the address is still to change. */
  const isOpen = () => me()?.delivery_email !== sentTo()
  const isRefused = () => field('realm_email_changes_disabled') && !field('is_admin')
  return (
    <Section title={t('account.email')}>
      <p class="set-note">{t('account.email_now', { email: me()?.delivery_email ?? '' })}</p>
      <Show when={!isRefused()} fallback={<p class="set-note">{t('profile.disabled')}</p>}>
        <AddForm
          submit={t('account.change_email')}
          isLine
          isIncomplete={!email.value().trim()}
          run={() =>
            email.send(async (typed) => {
              await patch('/settings', { email: typed.trim() })
              setSentTo(typed.trim())
            })
          }
        >
          <TextInput
            label={t('account.new_email')}
            type="email"
            autocomplete="email"
            value={email.value()}
            set={email.set}
            isCode
          />
        </AddForm>
        <MailNote />
        <p class="set-note" role="status">
          <Show when={isOpen() && sentTo()}>
            {(address) => <>{t('account.email_sent', { email: address() })}</>}
          </Show>
        </p>
      </Show>
    </Section>
  )
}

function Password() {
  const [old, next] = [useTyped(''), useTyped('')]
  const [isChanged, setChanged] = createSignal(false)
  return (
    <Section title={t('account.password')} note={t('account.password_note')}>
      <AddForm
        submit={t('account.change_password')}
        isIncomplete={!next.value()}
        run={async () => {
          setChanged(false)
          await old.send((old_password) =>
            next.send((new_password) => patch('/settings', { old_password, new_password })),
          )
          setChanged(true)
        }}
      >
        <CurrentPassword label={t('account.old_password')} value={old.value()} set={old.set} />
        <TextInput
          label={t('account.new_password')}
          type="password"
          value={next.value()}
          set={next.set}
          isCode
        />
      </AddForm>
      <p role="status">{isChanged() ? t('account.password_changed') : ''}</p>
    </Section>
  )
}

function Leaving() {
  const ask = () =>
    askFirst({
      title: t('account.leave'),
      text: t('account.leave_note'),
      action: t('account.leave'),
      typed: me()?.delivery_email ?? '',
      run: () => leaveBy(() => remove('/users/me')),
    })
  return (
    <Section title={t('account.leaving')} note={t('account.leave_note')}>
      <ActionButton isDangerous run={ask}>
        {t('account.leave')}
      </ActionButton>
    </Section>
  )
}
