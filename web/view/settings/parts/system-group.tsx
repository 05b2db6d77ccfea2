import { field } from '../../../store/server-state.ts'
import { type Chosen, groupName } from './group-names.ts'
import type { RowProps } from './row.tsx'
import { SelectRow } from './select-row.tsx'
import { type Setting, saveChoice } from './setting.tsx'

/** Chooses the holders of a permission that only a role can have: one of the groups of roles. */
export function SystemGroupControl(
  props: RowProps & { setting: Setting<Chosen>; allowed: readonly string[] },
) {
  const groups = () => field('realm_user_groups') ?? []
  const isNobody = (name: string) => name === 'role:nobody'
  // Nobody is nothing chosen.
  const value = () =>
    props.setting.value().direct_subgroups[0] ?? groups().find(({ name }) => isNobody(name))?.id
  // The present value is shown, also if it can no longer be chosen.
  const options = () => groups().filter(({ id, name }) => props.allowed.includes(name) || id === value())
  const choose = (text: string) => {
    const option = options().find(({ id }) => String(id) === text)
    if (!option) return
    const subgroups = isNobody(option.name) ? [] : [option.id]
    saveChoice(props.setting, { direct_members: [], direct_subgroups: subgroups })
  }
  return (
    <SelectRow
      {...props}
      value={String(value() ?? '')}
      options={options().map(({ id }) => [String(id), groupName(id)])}
      choose={choose}
    />
  )
}
