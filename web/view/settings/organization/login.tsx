import { For } from 'solid-js'
import { patch } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'
import { SwitchControl } from '../parts/controls.tsx'
import { Section } from '../parts/section.tsx'
import { useSetting } from '../parts/setting.tsx'
import { unlessOwner } from './refusals.ts'

/** By which of the server's ways people may sign in. */
export function Login() {
  const methods = () => field('realm_authentication_methods')
  return (
    <Section note={t('org_login.note')}>
      <For each={Object.keys(methods())}>{(name) => <Method name={name} />}</For>
    </Section>
  )
}

function Method(props: { name: string }) {
  const methods = () => field('realm_authentication_methods')
  const isOn = (name: string) => methods()[name]?.enabled ?? false
  const setting = useSetting(
    () => isOn(props.name),
    (value) => {
      const all = Object.keys(methods()).map((name) => [name, name === props.name ? value : isOn(name)])
      return patch('/realm', { authentication_methods: Object.fromEntries(all) })
    },
  )
  return (
    <SwitchControl
      key={`method-${props.name}`}
      label={props.name === 'Email' ? t('org_login.email') : props.name}
      setting={setting}
      reason={unlessOwner()}
    />
  )
}
