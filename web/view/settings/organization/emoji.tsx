import './organization.css'
import { createMemo, createSignal, onCleanup, Show } from 'solid-js'
import { remove } from '../../../api/client.ts'
import { sendFile } from '../../../api/send-file.ts'
import { t } from '../../../lib/i18n.ts'
import { nameOf } from '../../../store/people.ts'
import { currentState, field } from '../../../store/server-state.ts'
import type { CustomEmoji } from '../../../store/server-state-types.ts'
import { confirm, openDialog } from '../../parts/dialog.tsx'
import { FilterField } from '../../parts/filter-field.tsx'
import { noticeFailure } from '../../parts/notices.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { List, ListButton, ListText } from '../parts/list.tsx'
import { Section } from '../parts/section.tsx'
import { unlessPermitted } from './refusals.ts'

const reason = () => unlessPermitted('realm_can_add_custom_emoji_group')

/** The emoji of the organization itself. */
export function Emoji() {
  const [words, setWords] = createSignal('')
  const all = createMemo(() =>
    Object.values(field('realm_emoji') ?? {}).sort((a, b) => a.name.localeCompare(b.name)),
  )
  const shown = (isDeactivated: boolean) =>
    all().filter(
      (one) => one.deactivated === isDeactivated && one.name.includes(words().trim().toLowerCase()),
    )
  return (
    <>
      <Section note={t('custom_emoji.note')}>
        <div class="set-bar">
          <FilterField label={t('custom_emoji.find')} value={words()} set={setWords} />
          <button
            type="button"
            class="button"
            disabled={reason() !== undefined}
            title={reason()}
            onClick={() => openDialog((close) => <EmojiDialog close={close} />)}
          >
            {t('custom_emoji.new')}
          </button>
        </div>
        <List label={t('org_section.emoji')} items={shown(false)} empty={t('custom_emoji.none')}>
          {(one) => <Row emoji={one} />}
        </List>
      </Section>
      <Show when={shown(true).length > 0}>
        <Section title={t('custom_emoji.deactivated')} note={t('custom_emoji.deactivated_note')}>
          <List label={t('custom_emoji.deactivated')} items={shown(true)} empty="">
            {(one) => (
              <>
                <Picture emoji={one} />
                <ListText title={`:${one.name}:`} />
              </>
            )}
          </List>
        </Section>
      </Show>
    </>
  )
}

/** The organization's address may not be the one that the browser uses. */
const pathOf = (url: string) => {
  const { pathname, search } = new URL(url, location.href)
  return pathname + search
}

function Picture(props: { emoji: CustomEmoji }) {
  return <img class="emoji-sample" src={pathOf(props.emoji.source_url)} alt="" />
}

function Row(props: { emoji: CustomEmoji }) {
  const author = () => props.emoji.author_id
  const refusal = () =>
    field('is_admin') || author() === currentState().user_id ? undefined : t('custom_emoji.only_author')
  const askToDeactivate = () =>
    confirm(
      {
        title: t('custom_emoji.deactivate'),
        text: t('custom_emoji.deactivate_question', { name: props.emoji.name }),
        action: t('custom_emoji.deactivate'),
      },
      () => void remove(`/realm/emoji/${props.emoji.name}`).catch(noticeFailure),
    )
  return (
    <>
      <Picture emoji={props.emoji} />
      <ListText title={`:${props.emoji.name}:`}>
        <Show when={author()}>{(id) => t('custom_emoji.by', { name: nameOf(id()) })}</Show>
      </ListText>
      <div class="set-list-tools">
        <ListButton
          icon="copy"
          label={t('custom_emoji.alias', { name: props.emoji.name })}
          reason={reason()}
          run={() => openDialog((close) => <EmojiDialog of={props.emoji} close={close} />)}
        />
        <ListButton
          icon="trash"
          label={t('custom_emoji.deactivate_this', { name: props.emoji.name })}
          reason={refusal()}
          run={askToDeactivate}
        />
      </div>
    </>
  )
}

/** `of`: the emoji that gets a second name. It is sent again under that name, since each has one. */
function EmojiDialog(props: { of?: CustomEmoji; close(): void }) {
  const [name, setName] = createSignal('')
  const [file, setFile] = createSignal<File>()
  const preview = createMemo(() => {
    const chosen = file()
    const url = chosen && URL.createObjectURL(chosen)
    if (url) onCleanup(() => URL.revokeObjectURL(url))
    return url
  })
  const picture = async () =>
    props.of ? (await fetch(pathOf(props.of.source_url))).blob() : (file() as File)
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    if (chosen && !name())
      setName(
        chosen.name
          .replace(/\.\w+$/, '')
          .toLowerCase()
          .replace(/[^0-9a-z_-]+/g, '_'),
      )
  }
  return (
    <FormDialog
      title={props.of ? t('custom_emoji.alias', { name: props.of.name }) : t('custom_emoji.new')}
      action={t('org.add')}
      isIncomplete={name().trim() === '' || (!props.of && !file())}
      send={async () => sendFile(`/realm/emoji/${encodeURIComponent(name().trim())}`, await picture())}
      close={props.close}
    >
      <Show when={!props.of}>
        <label>
          {t('custom_emoji.picture')}
          <input
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            onChange={(event) => choose(event.currentTarget.files?.[0])}
          />
        </label>
        <Show when={preview()}>
          {(url) => <img class="emoji-sample" src={url()} alt={t('custom_emoji.preview')} />}
        </Show>
      </Show>
      <label>
        {t('channel.name')}
        <input
          class="field"
          dir="ltr"
          autofocus={props.of !== undefined}
          maxlength="50"
          placeholder="party_parrot"
          value={name()}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <p class="set-note">{t('custom_emoji.name_note')}</p>
    </FormDialog>
  )
}
