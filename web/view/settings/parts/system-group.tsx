import { For } from 'solid-js'
import { field } from '../../../store/server-state.ts'
import { type Chosen, groupName } from './group-names.ts'
import { Row, type RowProps } from './row.tsx'
import type { Setting } from './setting.tsx'

/** Who may do something that only a role can be given: one of the groups of roles. */
export function SystemGroupControl(
  props: RowProps & { setting: Setting<Chosen>; allowed: readonly string[] },
) {
  const options = () =>
    (field('realm_user_groups') ?? [])
      .filter(({ name }) => props.allowed.includes(name))
      .map(({ id, name }) => ({ id, name }))
  // Nobody is nothing chosen.
  const isChosen = ({ id, name }: { id: number; name: string }) => {
    const [chosen] = props.setting.value().direct_subgroups
    return chosen === undefined ? name === 'role:nobody' : chosen === id
  }
  return (
    <Row {...props}>
      {(ids) => (
        <select
          class="field"
          id={ids.control}
          disabled={props.reason !== undefined}
          aria-describedby={ids.note}
          onChange={({ currentTarget }) => {
            const option = options()[currentTarget.selectedIndex]
            if (!option) return
            const subgroups = option.name === 'role:nobody' ? [] : [option.id]
            props.setting.set({ direct_members: [], direct_subgroups: subgroups })
            void props.setting.save({ orRevert: true })
          }}
        >
          <For each={options()}>
            {(option) => <option selected={isChosen(option)}>{groupName(option.id)}</option>}
          </For>
        </select>
      )}
    </Row>
  )
}
