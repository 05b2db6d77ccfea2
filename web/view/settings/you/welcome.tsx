import { createSignal, Show } from 'solid-js'
import { patch, post, postOnce } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { inOrder } from '../../../lib/in-order.ts'
import { goToHash } from '../../../lib/router.ts'
import { subscribed } from '../../../store/channels.ts'
import { firstStepsName } from '../../../store/home.ts'
import { me } from '../../../store/people.ts'
import { field } from '../../../store/server-state.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { useTyped } from '../../parts/submission.ts'
import { AddForm } from '../parts/add-form.tsx'
import { TextControl } from '../parts/controls.tsx'
import { CopiedLink } from '../parts/copied-link.tsx'
import { inviteByMail } from '../parts/invite-by-mail.ts'
import { List, ListText } from '../parts/list.tsx'
import { InvitationMailNote } from '../parts/mail-note.tsx'
import { Section } from '../parts/section.tsx'
import { useSetting } from '../parts/setting.tsx'
import { Address } from './account.tsx'

/**
 * The first steps of a new organization. Each is saved by itself, so the page can be left and opened again at any time; all
 * that it knows is in the state.
 */
export function Welcome() {
  const leave = async () => {
    const here = location.hash
    await post('/users/me/onboarding_steps', { onboarding_step: firstStepsName })
    if (location.hash === here) goToHash('#inbox')
  }
  return (
    <>
      <p class="set-note">{t('welcome.note')}</p>
      <Names />
      <Channels />
      <Inviting />
      <div class="setting-buttons">
        <ActionButton class="primary" run={leave}>
          {t('welcome.done')}
        </ActionButton>
        <button type="button" class="button" onClick={() => goToHash('#inbox')}>
          {t('welcome.later')}
        </button>
      </div>
    </>
  )
}

const trimmed = (text: string) => text.trim()

function Names() {
  const organization = useSetting(
    () => field('realm_name'),
    (name) => patch('/realm', { name }),
    trimmed,
  )
  const name = useSetting(
    () => me()?.full_name ?? '',
    (full_name) => patch('/settings', { full_name }),
    trimmed,
  )
  const spec = { key: '', kind: 'text', text: 'welcome.title', isRequired: true, max: 100 } as const
  return (
    <>
      <Section title={t('welcome.organization')}>
        <TextControl
          key="realm_name"
          label={t('welcome.organization_name')}
          spec={{ ...spec, max: 40 }}
          setting={organization}
        />
      </Section>
      <Section title={t('welcome.you')}>
        <TextControl key="full_name" label={t('profile.name')} spec={spec} setting={name} />
        <p class="set-note">
          <a href="#settings/account">{t('welcome.password')}</a>
        </p>
      </Section>
      <Address />
    </>
  )
}

function Channels() {
  const name = useTyped('')
  const names = () => [...subscribed().values()].map((channel) => channel.name).sort(inOrder)
  return (
    <Section title={t('welcome.channels')} note={t('welcome.channels_note')}>
      <List label={t('welcome.channels')} items={names()} empty="">
        {(one) => <ListText title={`#${one}`} />}
      </List>
      <AddForm
        submit={t('welcome.create_channel')}
        isLine
        isIncomplete={!name.value().trim()}
        run={() =>
          name.send((typed) =>
            postOnce('/users/me/subscriptions', { subscriptions: [{ name: typed.trim() }] }),
          )
        }
      >
        <TextInput
          label={t('welcome.channel_name')}
          value={name.value()}
          set={name.set}
          max={field('max_stream_name_length')}
        />
      </AddForm>
    </Section>
  )
}

const terms = { stream_ids: [], include_realm_default_subscriptions: true }

/** A link is offered beside mails, which a server that has just begun may not send yet. */
function Inviting() {
  const emails = useTyped('')
  const [sent, setSent] = createSignal('')
  const [link, setLink] = createSignal<string>()
  return (
    <Section title={t('welcome.invite')} note={t('welcome.invite_note')}>
      <InvitationMailNote />
      <AddForm
        submit={t('welcome.send')}
        isLine
        isIncomplete={!emails.value().trim()}
        run={async () => {
          await emails.send(async (typed) => setSent(await inviteByMail(typed, terms)))
        }}
      >
        <TextInput label={t('welcome.addresses')} value={emails.value()} set={emails.set} isCode />
      </AddForm>
      <p class="set-note" role="status">
        {sent()}
      </p>
      <AddForm
        submit={t('welcome.make_link')}
        isSecond
        run={async () => {
          const { invite_link } = await postOnce<{ invite_link: string }>('/invites/multiuse', terms)
          setLink(invite_link)
        }}
      />
      <Show when={link()}>{(made) => <CopiedLink url={made()} />}</Show>
    </Section>
  )
}
