import { namesMatch } from '../../lib/same-name.ts'
import './settings.css'
import { createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { get, postOnce } from '../../api/client.ts'
import { errorMessage, isUnreachable } from '../../lib/error-message.ts'
import { t } from '../../lib/i18n.ts'
import { goTo } from '../../lib/router.ts'
import {
  mayChooseTopicsPolicy,
  mayCreate,
  type Privacy,
  privacies,
  privacyParams,
} from '../../store/channel-rights.ts'
import { channelName, channels } from '../../store/channels.ts'
import { currentState, field } from '../../store/server-state.ts'
import { Dialog } from '../parts/dialog-panel.tsx'
import { CheckBox, SelectField, TextInput } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { noticeFailure } from '../parts/notices.tsx'
import { useIsHere } from '../parts/submission.ts'
import { usersIn } from '../people/add-people.tsx'
import type { Chosen } from '../settings/parts/group-names.ts'
import { Principals } from '../settings/parts/principals.tsx'
import { SettingNote } from '../settings/parts/setting.tsx'
import { topicsPolicies } from './general.tsx'
import { PrivacyField, privacyRefusal } from './privacy-field.tsx'

type FieldName = 'name' | 'description' | 'privacy' | 'subscribers' | 'all'

/** Creates a channel. */
export function NewChannel(props: { close(): void }) {
  const draft = createDraft(props.close)
  return (
    <Dialog title={t('channel.new')} close={props.close} class="channel-panel">
      <Form submit={t('channel.create')} close={props.close} run={draft.create}>
        <TextField
          label={t('channel.name')}
          value={draft.name()}
          input={draft.setName}
          max={field('max_stream_name_length')}
          error={draft.errorAt('name')}
          isRequired
        />
        <TextField
          label={t('channel.description')}
          value={draft.description()}
          input={draft.setDescription}
          max={field('max_stream_description_length')}
          error={draft.errorAt('description')}
        />
        <PrivacyField value={draft.privacy()} change={draft.setPrivacy} refusal={privacyRefusal} />
        <Folders value={draft.folder()} choose={draft.setFolder} />
        <TopicsPolicy value={draft.topics()} choose={draft.setTopics} />
        <FirstSubscribers draft={draft} />
        <Show when={draft.canAnnounce()}>
          <CheckBox
            label={t('channel.announce', { name: announcements() ?? '' })}
            isOn={draft.isAnnounced()}
            set={draft.setAnnounced}
          />
        </Show>
        <SettingNote id="new-channel-error" error={draft.errorAt('all') ?? draft.errorAt('privacy')} />
      </Form>
    </Dialog>
  )
}

type Draft = ReturnType<typeof createDraft>

/** Creates the fields of the form, and the request that it makes. */
function createDraft(close: () => void) {
  const [name, setName] = createSignal('')
  const [description, setDescription] = createSignal('')
  const [privacy, setPrivacy] = createSignal<Privacy>(privacies.find(mayCreate) ?? 'public')
  const [folder, setFolder] = createSignal<number | null>(null)
  const [topics, setTopics] = createSignal('inherit')
  const [chosen, setChosen] = createSignal<Chosen>({
    direct_members: [currentState().user_id],
    direct_subgroups: [],
  })
  const [isAnnounced, setAnnounced] = createSignal(true)
  const [error, setError] = createSignal<{ field: FieldName; text: string }>()
  const isHere = useIsHere()
  let unansweredName = ''
  const errorAt = (field: FieldName) => (error()?.field === field ? error()?.text : undefined)
  const canAnnounce = () => privacyParams(privacy()).is_private === false && announcements() !== undefined

  function send(wanted: string) {
    const { is_private: invite_only, ...rest } = privacyParams(privacy())
    return postOnce('/users/me/subscriptions', {
      subscriptions: [{ name: wanted, description: description() }],
      principals: usersIn(chosen()),
      invite_only,
      ...rest,
      folder_id: folder() ?? undefined,
      topics_policy: topics(),
      announce: canAnnounce() && isAnnounced(),
    })
  }

  async function create() {
    const wanted = name().trim()
    setError(undefined)
    if (isTaken(wanted, unansweredName)) return setError({ field: 'name', text: t('channel.name_taken') })
    try {
      await send(wanted)
    } catch (failure) {
      if (!isHere()) throw failure
      if (isUnreachable(failure)) unansweredName = wanted
      return setError(errorIn(failure))
    }
    await enter(wanted, isHere, close)
  }

  const values = { name, description, privacy, folder, topics, chosen, isAnnounced }
  const setters = { setName, setDescription, setPrivacy, setFolder, setTopics, setChosen, setAnnounced }
  return { ...values, ...setters, errorAt, canAnnounce, create }
}

function TopicsPolicy(props: { value: string; choose(policy: string): void }) {
  return (
    <SelectField
      label={t('channel.topics')}
      value={props.value}
      options={Object.entries(topicsPolicies).map(([policy, key]) => [policy, t(key)])}
      choose={props.choose}
      isDisabled={!mayChooseTopicsPolicy()}
    />
  )
}

function FirstSubscribers(props: { draft: Draft }) {
  const { chosen, setChosen, errorAt } = props.draft
  const isEmpty = () => usersIn(chosen()).length === 0
  return (
    <WithNote error={errorAt('subscribers')} text={isEmpty() ? t('subscribers.none') : undefined}>
      {(id) => (
        <>
          <span class="setting-name" aria-hidden="true">
            {t('settings.subscribers')}
          </span>
          <Principals
            label={t('settings.subscribers')}
            chosen={chosen()}
            change={setChosen}
            describedBy={id}
          />
        </>
      )}
    </WithNote>
  )
}

function TextField(props: {
  label: string
  value: string
  input(value: string): void
  max: number
  error: string | undefined
  isRequired?: boolean
}) {
  return (
    <WithNote error={props.error}>
      {(id) => (
        <TextInput
          label={props.label}
          value={props.value}
          set={props.input}
          max={props.max}
          isFirst={props.isRequired}
          isRequired={props.isRequired}
          isInvalid={props.error !== undefined}
          describedBy={id}
        />
      )}
    </WithNote>
  )
}

function WithNote(props: {
  error: string | undefined
  text?: string | undefined
  children(id: string): JSX.Element
}) {
  const id = createUniqueId()
  return (
    <div class="setting">
      {props.children(id)}
      <SettingNote id={id} error={props.error} text={props.text} />
    </div>
  )
}

function Folders(props: { value: number | null; choose(id: number | null): void }) {
  const folders = () => (field('channel_folders') ?? []).filter(({ is_archived }) => !is_archived)
  return (
    <Show when={folders().length > 0}>
      <SelectField
        label={t('channel.folder')}
        value={props.value}
        options={[
          [null, t('channel.no_folder')],
          ...folders().map(({ id, name }): [number, string] => [id, name]),
        ]}
        choose={props.choose}
      />
    </Show>
  )
}

/** The channel in which new channels are announced. */
function announcements(): string | undefined {
  return channelName(field('realm_new_stream_announcements_stream_id'))
}

/**
 * A request for a channel that exists would subscribe people to that one. The channel of a request that got no answer may be the
 * user's own.
 */
function isTaken(name: string, unansweredName: string) {
  return name !== unansweredName && [...channels().values()].some((one) => namesMatch(one.name, name))
}

function errorIn(failure: unknown) {
  const text = errorMessage(failure)
  return { field: fieldOf(text), text }
}

/** Returns the field to which an error of the server refers. */
function fieldOf(text: string): FieldName {
  if (/name|access channel/i.test(text)) return 'name'
  if (/description/i.test(text)) return 'description'
  return /user|principal/i.test(text) ? 'subscribers' : 'all'
}

/** Leads from the dialog to the channel. Its id is read while the dialog is there: later, the user may have gone on. */
async function enter(name: string, isHere: () => boolean, close: () => void) {
  const found = await get<{ stream_id: number }>('/get_stream_id', { stream: name }).catch(noticeFailure)
  if (!isHere()) return
  close()
  if (found) goTo({ view: 'narrow', terms: [{ operator: 'channel', operand: found.stream_id }] })
}
