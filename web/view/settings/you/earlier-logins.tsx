import { get } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { dateAndTime } from '../../../lib/time.ts'
import { ErrorText } from '../../parts/error-text.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { useFetched } from '../parts/fetched.ts'
import { Section } from '../parts/section.tsx'

type EarlierLogin = { method: string; client: string; ip: string; at: number }

/** When, how and from where the user has signed in, the newest first: also where the session has ended since. */
export function EarlierLogins() {
  const fetched = useFetched(() => get<{ logins: EarlierLogin[] }>('/rookery/logins'))
  return (
    <Section title={t('sessions.earlier')} note={t('sessions.earlier_note')}>
      <ErrorText error={fetched.error()} />
      <DataTable
        label={t('sessions.earlier')}
        rows={fetched.value()?.logins ?? []}
        idOf={(login) => login}
        columns={columns()}
        textOf={({ client, ip }) => `${client} ${ip}`}
        empty={t('sessions.none')}
      />
    </Section>
  )
}

/** Passwords are called by the name of the address in the API. */
const methodName = ({ method }: EarlierLogin) => (method === 'Email' ? t('sessions.by_password') : method)

function columns(): Column<EarlierLogin>[] {
  return [
    {
      name: t('sessions.at'),
      show: (login) => dateAndTime(login().at),
      compare: (a, b) => b.at - a.at,
    },
    { name: t('sessions.client'), show: (login) => <span title={login().client}>{login().client}</span> },
    { name: t('sessions.method'), show: (login) => methodName(login()), isExtra: true },
    { name: t('sessions.ip'), show: (login) => <span dir="ltr">{login().ip}</span> },
  ]
}
