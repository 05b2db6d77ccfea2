import { inOrder } from '../../../lib/in-order.ts'
import './organization.css'
import { createMemo, createSignal, onCleanup, Show } from 'solid-js'
import { remove } from '../../../api/client.ts'
import { sendFile } from '../../../api/send-file.ts'
import { t } from '../../../lib/i18n.ts'
import { nameOf } from '../../../store/people.ts'
import { currentState, field } from '../../../store/server-state.ts'
import type { CustomEmoji } from '../../../store/server-state-types.ts'
import { ActionButton, IconButton } from '../../parts/action-button.tsx'
import { askFirst } from '../../parts/confirm.tsx'
import { openDialog } from '../../parts/dialog.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { FilterField } from '../../parts/filter-field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { ListById, ListText } from '../parts/list.tsx'
import { Section } from '../parts/section.tsx'
import { unlessPermitted } from './refusals.ts'

const reason = () => unlessPermitted('realm_can_add_custom_emoji_group')

/** The emoji of the organization itself. */
export function Emoji() {
  const [words, setWords] = createSignal('')
  const all = createMemo(() =>
    Object.values(field('realm_emoji') ?? {}).sort((a, b) => inOrder(a.name, b.name)),
  )
  const byId = createMemo(() => new Map(all().map((one) => [Number(one.id), one])))
  const shown = (isDeactivated: boolean) =>
    all()
      .filter((one) => one.deactivated === isDeactivated && one.name.includes(words().trim().toLowerCase()))
      .map(({ id }) => Number(id))
  return (
    <>
      <Section note={t('custom_emoji.note')}>
        <div class="set-bar">
          <FilterField label={t('custom_emoji.find')} value={words()} set={setWords} />
          <ActionButton reason={reason()} run={() => openDialog((close) => <EmojiDialog close={close} />)}>
            {t('custom_emoji.new')}
          </ActionButton>
        </div>
        <ListById
          label={t('org_section.emoji')}
          things={byId()}
          ids={shown(false)}
          empty={t('custom_emoji.none')}
        >
          {(one) => <Row emoji={one()} />}
        </ListById>
      </Section>
      <Show when={shown(true).length > 0}>
        <Section title={t('custom_emoji.deactivated')} note={t('custom_emoji.deactivated_note')}>
          <ListById label={t('custom_emoji.deactivated')} things={byId()} ids={shown(true)} empty="">
            {(one) => (
              <>
                <Picture emoji={one()} />
                <ListText title={`:${one().name}:`} />
              </>
            )}
          </ListById>
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
    askFirst({
      title: t('custom_emoji.deactivate'),
      text: t('custom_emoji.deactivate_question', { name: props.emoji.name }),
      action: t('custom_emoji.deactivate'),
      run: () => remove(`/realm/emoji/${props.emoji.name}`),
    })
  return (
    <>
      <Picture emoji={props.emoji} />
      <ListText title={`:${props.emoji.name}:`}>
        <Show when={author()}>{(id) => <>{t('custom_emoji.by', { name: nameOf(id()) })}</>}</Show>
      </ListText>
      <div class="set-list-tools">
        <IconButton
          icon="copy"
          label={t('custom_emoji.alias', { name: props.emoji.name })}
          reason={reason()}
          run={() => openDialog((close) => <EmojiDialog of={props.emoji} close={close} />)}
        />
        <IconButton
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
  const picture = async () =>
    props.of ? (await fetch(pathOf(props.of.source_url))).blob() : (file() as File)
  const choose = (chosen: File | undefined) => {
    setFile(chosen)
    if (chosen && !name()) setName(nameFor(chosen))
  }
  return (
    <FormDialog
      title={props.of ? t('custom_emoji.alias', { name: props.of.name }) : t('custom_emoji.new')}
      submit={t('org.add')}
      isIncomplete={name().trim() === '' || (!props.of && !file())}
      send={async () => sendFile(`/realm/emoji/${encodeURIComponent(name().trim())}`, await picture())}
      close={props.close}
    >
      <Show when={!props.of}>
        <PictureField file={file()} choose={choose} />
      </Show>
      <TextInput
        label={t('channel.name')}
        value={name()}
        set={setName}
        max={50}
        placeholder="party_parrot"
        isCode
        isFirst={props.of !== undefined}
      />
      <p class="set-note">{t('custom_emoji.name_note')}</p>
    </FormDialog>
  )
}

/** A name that the server takes, made of that of a file. */
function nameFor(file: File): string {
  const name = file.name.replace(/\.\w+$/, '').toLowerCase()
  return name.replace(/[^0-9a-z_-]+/g, '_')
}

function PictureField(props: { file: File | undefined; choose(file: File | undefined): void }) {
  const preview = createMemo(() => {
    const url = props.file && URL.createObjectURL(props.file)
    if (url) onCleanup(() => URL.revokeObjectURL(url))
    return url
  })
  return (
    <>
      <label>
        {t('custom_emoji.picture')}
        <input
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp"
          onChange={(event) => props.choose(event.currentTarget.files?.[0])}
        />
      </label>
      <Show when={preview()}>
        {(url) => <img class="emoji-sample" src={url()} alt={t('custom_emoji.preview')} />}
      </Show>
    </>
  )
}
