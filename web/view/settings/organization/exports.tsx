import { createMemo, createSignal, For, Show } from 'solid-js'
import { get, postOnce, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { dateAndTime } from '../../../lib/time.ts'
import { nameOf } from '../../../store/people.ts'
import { field } from '../../../store/server-state.ts'
import { ActionButton, IconButton } from '../../parts/action-button.tsx'
import { askFirst } from '../../parts/confirm.tsx'
import { openDialog } from '../../parts/dialog.tsx'
import { ErrorText } from '../../parts/error-text.tsx'
import { useFetched } from '../parts/fetched.ts'
import { FormDialog } from '../parts/form-dialog.tsx'
import { ListById, ListText } from '../parts/list.tsx'
import { Section } from '../parts/section.tsx'
import { unlessAdministrator } from './refusals.ts'

type Export = {
  id: number
  acting_user_id: number
  export_time: number
  deleted_timestamp: number | null
  failed_timestamp: number | null
  export_url: string | null
  pending: boolean
  export_type: number
}
type Consent = { user_id: number; consented: boolean }

const types = { public: 1, consent: 2 } as const

const nameOfType = (type: number) =>
  t(type === types.public ? 'org_exports.public' : 'org_exports.with_consent')

/** Exports of the organization's data. */
export function Exports() {
  return (
    <Show when={field('is_admin')} fallback={<p class="set-note">{unlessAdministrator()}</p>}>
      <ExportList />
    </Show>
  )
}

function ExportList() {
  const exports = useFetched(
    () => get<{ exports: Export[] }>('/export/realm').then(({ exports }) => exports.reverse()),
    ['realm_export'],
  )
  const consents = useFetched(
    () => get<{ export_consents: Consent[] }>('/export/realm/consents').then((body) => body.export_consents),
    ['realm_export_consent', 'realm_user'],
  )
  const byId = createMemo(() => new Map((exports.value() ?? []).map((one) => [one.id, one])))
  const count = () => (consents.value() ?? []).filter(({ consented }) => consented).length
  return (
    <Section note={t('org_exports.note')}>
      <ErrorText error={consents.error()} />
      <Show when={consents.value()}>
        {(all) => <p class="set-note">{t('org_exports.consents', { count: count(), all: all().length })}</p>}
      </Show>
      <div class="set-bar">
        <ActionButton run={() => openDialog((close) => <StartExport consents={count()} close={close} />)}>
          {t('org_exports.start')}
        </ActionButton>
      </div>
      <ErrorText error={exports.error()} />
      <Show when={exports.value()}>
        <ListById label={t('org_section.exports')} things={byId()} empty={t('org_exports.none')}>
          {(one) => <Row export={one()} />}
        </ListById>
      </Show>
    </Section>
  )
}

function Row(props: { export: Export }) {
  const when = (seconds: number) => dateAndTime(seconds)
  const state = () => {
    const { pending, failed_timestamp: failed, deleted_timestamp: deleted } = props.export
    if (pending) return t('org_exports.pending')
    if (failed !== null) return t('org_exports.failed', { time: when(failed) })
    if (deleted !== null) return t('org_exports.deleted', { time: when(deleted) })
    return t('org_exports.done')
  }
  const askToDelete = () =>
    askFirst({
      title: t('org_exports.delete'),
      text: t('org_exports.delete_question'),
      action: t('message.delete'),
      run: () => remove(`/export/realm/${props.export.id}`),
    })
  return (
    <>
      <ListText title={when(props.export.export_time)}>
        {nameOfType(props.export.export_type)} · {nameOf(props.export.acting_user_id)} · {state()}
      </ListText>
      <Show when={props.export.export_url}>
        {(url) => (
          <div class="set-list-tools">
            <a class="button" href={new URL(url()).pathname} download="">
              {t('org_exports.download')}
            </a>
            <IconButton icon="trash" label={t('org_exports.delete')} run={askToDelete} />
          </div>
        )}
      </Show>
    </>
  )
}

function StartExport(props: { consents: number; close(): void }) {
  const [type, setType] = createSignal<number>(types.public)
  const noteOf = (kind: number) =>
    kind === types.public
      ? t('org_exports.public_note')
      : t('org_exports.consent_note', { count: props.consents })
  return (
    <FormDialog
      title={t('org_exports.start')}
      submit={t('org_exports.begin')}
      send={() => postOnce('/export/realm', { export_type: type() })}
      close={props.close}
    >
      <For each={[types.public, types.consent]}>
        {(kind) => (
          <>
            <label class="choice">
              <input type="radio" name="export" checked={type() === kind} onChange={() => setType(kind)} />
              {nameOfType(kind)}
            </label>
            <p class="set-note">{noteOf(kind)}</p>
          </>
        )}
      </For>
    </FormDialog>
  )
}
