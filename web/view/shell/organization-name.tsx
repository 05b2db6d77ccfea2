import { Show } from 'solid-js'
import { field } from '../../store/server-state.ts'

/** The icon and the name of the organization, above the rail. */
export function OrganizationName() {
  return (
    <>
      <Show when={field('realm_icon_url')}>
        <img class="avatar" style={{ '--avatar-size': '26px' }} src={field('realm_icon_url')} alt="" />
      </Show>
      <strong class="rail-name" dir="auto">
        {field('realm_name')}
      </strong>
    </>
  )
}
