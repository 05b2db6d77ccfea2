import { createSignal, createUniqueId } from 'solid-js'
import { post } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { goToHash } from '../../lib/router.ts'
import { currentState } from '../../store/server-state.ts'
import { Form } from '../message/message-dialogs.tsx'
import { Dialog } from '../parts/dialog.tsx'
import type { Chosen } from '../settings/parts/group-names.ts'
import { Principals } from '../settings/parts/principals.tsx'
import { SettingNote } from '../settings/parts/setting.tsx'
import { groupLimits } from './declared.ts'

/** Creates a group. Who may do what with it is set afterwards, on its page. */
export function NewGroup(props: { close(): void }) {
  const [name, setName] = createSignal('')
  const [description, setDescription] = createSignal('')
  const [chosen, setChosen] = createSignal<Chosen>({
    direct_members: [currentState().user_id],
    direct_subgroups: [],
  })
  const [error, setError] = createSignal<string>()
  const noteId = createUniqueId()
  async function create() {
    setError(undefined)
    try {
      const { group_id } = await post<{ group_id: number }>('/user_groups/create', {
        name: name().trim(),
        description: description().trim(),
        members: chosen().direct_members,
        subgroups: chosen().direct_subgroups,
      })
      props.close()
      goToHash(`#groups/${group_id}`)
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
    }
  }
  return (
    <Dialog title={t('groups.new')} close={props.close}>
      <Form submit={t('groups.create')} close={props.close} run={create}>
        <label>
          {t('groups.name')}
          <input
            class="field"
            dir="auto"
            autofocus
            required
            pattern=".*\S.*"
            maxlength={groupLimits.name}
            value={name()}
            aria-describedby={noteId}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <label>
          {t('groups.description')}
          <textarea
            class="field"
            dir="auto"
            rows="2"
            maxlength={groupLimits.description}
            value={description()}
            onInput={(event) => setDescription(event.currentTarget.value)}
          />
        </label>
        <div class="setting">
          <span class="setting-name" aria-hidden="true">
            {t('groups.first_members')}
          </span>
          <Principals label={t('groups.first_members')} chosen={chosen()} change={setChosen} />
        </div>
        <SettingNote id={noteId} text={t('groups.new_note')} error={error()} />
      </Form>
    </Dialog>
  )
}
