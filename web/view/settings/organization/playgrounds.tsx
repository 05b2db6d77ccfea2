import { createSignal } from 'solid-js'
import { postOnce, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { byId } from '../../../store/by-id.ts'
import { field } from '../../../store/server-state.ts'
import { TextInput } from '../../parts/fields.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { ListSection, ListText, RemoveButton } from '../parts/list.tsx'
import { unlessAdministrator } from './refusals.ts'

const playgrounds = byId(() => field('realm_playgrounds'))

/** Sites that run code: a block of their language has a button that opens it there. */
export function Playgrounds() {
  return (
    <ListSection
      note={t('playgrounds.note')}
      label={t('org_section.playgrounds')}
      things={playgrounds()}
      empty={t('playgrounds.none')}
      add={{
        text: t('playgrounds.new'),
        reason: unlessAdministrator(),
        dialog: (close) => <NewPlayground close={close} />,
      }}
    >
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
          <RemoveButton
            name={one().name}
            reason={unlessAdministrator()}
            remove={() => remove(`/realm/playgrounds/${one().id}`)}
          />
        </>
      )}
    </ListSection>
  )
}

function NewPlayground(props: { close(): void }) {
  const [values, setValues] = createSignal({ name: '', pygments_language: '', url_template: '' })
  const set = (name: keyof ReturnType<typeof values>) => (value: string) =>
    setValues((all) => ({ ...all, [name]: value }))
  return (
    <FormDialog
      title={t('playgrounds.new')}
      submit={t('org.add')}
      isIncomplete={Object.values(values()).some((value) => value.trim() === '')}
      send={() => postOnce('/realm/playgrounds', values())}
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
