import { createSignal } from 'solid-js'
import { postOnce } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { goToHash } from '../../lib/router.ts'
import { currentState } from '../../store/server-state.ts'
import { Dialog } from '../parts/dialog-panel.tsx'
import { TextInput } from '../parts/fields.tsx'
import { Form } from '../parts/form.tsx'
import { useIsHere } from '../parts/submission.ts'
import type { Chosen } from '../settings/parts/group-names.ts'
import { Principals } from '../settings/parts/principals.tsx'
import { groupLimits } from './declared.ts'

/** Creates a group. Who may do what with it is set afterwards, on its page. */
export function NewGroup(props: { close(): void }) {
  const [name, setName] = createSignal('')
  const [description, setDescription] = createSignal('')
  const [chosen, setChosen] = createSignal<Chosen>({
    direct_members: [currentState().user_id],
    direct_subgroups: [],
  })
  const isHere = useIsHere()
  async function create() {
    const { group_id } = await postOnce<{ group_id: number }>('/user_groups/create', {
      name: name().trim(),
      description: description().trim(),
      members: chosen().direct_members,
      subgroups: chosen().direct_subgroups,
    })
    if (!isHere()) return
    props.close()
    goToHash(`#groups/${group_id}`)
  }
  return (
    <Dialog title={t('groups.new')} close={props.close}>
      <Form submit={t('groups.create')} close={props.close} run={create}>
        <TextInput
          label={t('groups.name')}
          value={name()}
          set={setName}
          max={groupLimits.name}
          isFirst
          isRequired
        />
        <TextInput
          label={t('groups.description')}
          value={description()}
          set={setDescription}
          max={groupLimits.description}
          lines={2}
        />
        <div class="setting">
          <span class="setting-name" aria-hidden="true">
            {t('groups.first_members')}
          </span>
          <Principals label={t('groups.first_members')} chosen={chosen()} change={setChosen} />
        </div>
        <p class="inbox-note">{t('groups.new_note')}</p>
      </Form>
    </Dialog>
  )
}
