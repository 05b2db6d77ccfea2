import { createSignal, Show } from 'solid-js'
import { post, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { byId } from '../../../store/by-id.ts'
import { field } from '../../../store/server-state.ts'
import { openDialog } from '../../parts/dialog.tsx'
import { noticeFailure } from '../../parts/notices.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { List, ListButton, ListText } from '../parts/list.tsx'
import { Section } from '../parts/section.tsx'
import { TextInput } from '../parts/text-input.tsx'
import { unlessAdministrator } from './refusals.ts'

const playgrounds = byId(() => field('realm_playgrounds'))

/** Sites that run code: a block of their language has a button that opens it there. */
export function Playgrounds() {
  return (
    <Section note={t('playgrounds.note')}>
      <div class="set-bar">
        <button
          type="button"
          class="button"
          disabled={unlessAdministrator() !== undefined}
          title={unlessAdministrator()}
          onClick={() => openDialog((close) => <NewPlayground close={close} />)}
        >
          {t('playgrounds.new')}
        </button>
      </div>
      <List
        label={t('org_section.playgrounds')}
        items={[...playgrounds().keys()]}
        empty={t('playgrounds.none')}
      >
        {(id) => (
          <Show when={playgrounds().get(id)}>
            {(one) => (
              <>
                <ListText
                  title={
                    <>
                      {one().name} <span class="badge">{one().pygments_language}</span>
                    </>
                  }
                >
                  <span dir="ltr">{one().url_template}</span>
                </ListText>
                <ListButton
                  icon="trash"
                  label={t('org.remove', { name: one().name })}
                  reason={unlessAdministrator()}
                  run={() => void remove(`/realm/playgrounds/${id}`).catch(noticeFailure)}
                />
              </>
            )}
          </Show>
        )}
      </List>
    </Section>
  )
}

function NewPlayground(props: { close(): void }) {
  const [values, setValues] = createSignal({ name: '', pygments_language: '', url_template: '' })
  const set = (name: keyof ReturnType<typeof values>) => (value: string) =>
    setValues((all) => ({ ...all, [name]: value }))
  return (
    <FormDialog
      title={t('playgrounds.new')}
      action={t('org.add')}
      isIncomplete={Object.values(values()).some((value) => value.trim() === '')}
      send={() => post('/realm/playgrounds', values())}
      close={props.close}
    >
      <TextInput
        label={t('channel.name')}
        value={values().name}
        set={set('name')}
        placeholder="Python playground"
        isFirst
      />
      <TextInput
        label={t('playgrounds.language')}
        value={values().pygments_language}
        set={set('pygments_language')}
        placeholder="Python"
      />
      <TextInput
        label={t('playgrounds.template')}
        value={values().url_template}
        set={set('url_template')}
        placeholder="https://play.example.com/?code={code}"
        isCode
      />
    </FormDialog>
  )
}
