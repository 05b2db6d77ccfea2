import { createSignal, Show } from 'solid-js'
import { get, post, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { inOrder } from '../../../lib/in-order.ts'
import { dateAndTime, shortAge } from '../../../lib/time.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { now } from '../../parts/clock.ts'
import { ErrorText } from '../../parts/error-text.tsx'
import { CurrentPassword } from '../../parts/fields.tsx'
import { useTyped } from '../../parts/submission.ts'
import { AddForm } from '../parts/add-form.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { useFetched } from '../parts/fetched.ts'
import { Section } from '../parts/section.tsx'
import { EarlierLogins } from './earlier-logins.tsx'

type Login = {
  id: number
  client: string
  created_at: number
  last_used_at: number | null
  is_current: boolean
}

/** Lists the user's logins: browsers and keys of apps, each of which can be ended. */
export function Sessions() {
  const sessions = useFetched(() => get<{ sessions: Login[] }>('/rookery/sessions'))
  const keys = useFetched(() => get<{ keys: Login[] }>('/rookery/keys'))
  return (
    <>
      <Logins
        title={t('sessions.browsers')}
        logins={sessions.value()?.sessions ?? []}
        error={sessions.error()}
        end={async ({ id }) => {
          await remove(`/rookery/sessions/${id}`)
          await sessions.refresh()
        }}
      />
      <Logins
        title={t('sessions.keys')}
        logins={keys.value()?.keys ?? []}
        error={keys.error()}
        end={async ({ id }) => {
          await remove(`/rookery/keys/${id}`)
          await keys.refresh()
        }}
      />
      <NewKey made={keys.refresh} />
      <EarlierLogins />
    </>
  )
}

function Logins(props: {
  title: string
  logins: Login[]
  error: string | undefined
  end(login: Login): Promise<unknown>
}) {
  return (
    <Section title={props.title}>
      <ErrorText error={props.error} />
      <DataTable
        label={props.title}
        rows={props.logins}
        idOf={({ id }) => id}
        columns={columns()}
        textOf={({ client }) => client}
        empty={t('sessions.none')}
        actions={(login) => (
          <ActionButton
            label={t('sessions.end', { client: login().client })}
            isDisabled={login().is_current}
            run={() => props.end(login())}
          >
            {t('sessions.end_short')}
          </ActionButton>
        )}
      />
    </Section>
  )
}

function columns(): Column<Login>[] {
  const time = (seconds: number | null) =>
    seconds === null ? '–' : <time title={dateAndTime(seconds)}>{shortAge(seconds, now())}</time>
  return [
    {
      name: t('sessions.client'),
      show: (one) => (
        <>
          <span title={one().client}>{one().client}</span>
          <Show when={one().is_current}> ({t('sessions.this_one')})</Show>
        </>
      ),
      compare: (a, b) => inOrder(a.client, b.client),
    },
    { name: t('sessions.since'), show: (one) => time(one().created_at), isExtra: true },
    {
      name: t('sessions.last_used'),
      show: (one) => time(one().last_used_at),
      compare: (a, b) => (b.last_used_at ?? 0) - (a.last_used_at ?? 0),
    },
  ]
}

/** A key for a script or an app, which is shown this one time. */
function NewKey(props: { made(): void }) {
  const password = useTyped('')
  const [key, setKey] = createSignal<string>()
  return (
    <Section title={t('sessions.new_key')} note={t('sessions.new_key_note')}>
      <AddForm
        submit={t('sessions.make_key')}
        isLine
        isIncomplete={!password.value()}
        run={() =>
          password.send(async (typed) => {
            const { api_key } = await post<{ api_key: string }>('/fetch_api_key', { password: typed })
            setKey(api_key)
            props.made()
          })
        }
      >
        <CurrentPassword label={t('sessions.password')} value={password.value()} set={password.set} />
      </AddForm>
      <p role="status">
        <Show when={key()}>
          {(made) => (
            <>
              {t('sessions.key_once')} <span class="set-secret">{made()}</span>
            </>
          )}
        </Show>
      </p>
    </Section>
  )
}
