import { createSignal } from 'solid-js'
import { postOnce } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { TextInput } from '../../parts/fields.tsx'
import { notice } from '../../parts/notices.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'

/** Makes an account. The server allows it to administrators to whom its operator has given this. */
export function NewUserDialog(props: { close(): void }) {
  const [values, setValues] = createSignal({ full_name: '', email: '', password: '' })
  const set = (name: keyof ReturnType<typeof values>) => (value: string) =>
    setValues((all) => ({ ...all, [name]: value }))
  return (
    <FormDialog
      title={t('org_users.new')}
      submit={t('channel.create')}
      isIncomplete={Object.values(values()).some((value) => value === '')}
      send={() =>
        postOnce('/users', values()).then(() => notice(t('org_users.created', { name: values().full_name })))
      }
      close={props.close}
    >
      <p class="set-note">{t('org_users.new_note')}</p>
      <TextInput
        label={t('org_users.name')}
        value={values().full_name}
        set={set('full_name')}
        max={100}
        isFirst
      />
      <TextInput
        label={t('card.email')}
        type="email"
        value={values().email}
        set={set('email')}
        max={254}
        isCode
      />
      <TextInput
        label={t('org_users.password')}
        type="password"
        value={values().password}
        set={set('password')}
        max={100}
        isCode
      />
    </FormDialog>
  )
}
