import { createEffect, Match, onCleanup, Switch } from 'solid-js'
import { get, postOnce, untilDone } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { dateAndTime } from '../../../lib/time.ts'
import { ErrorText } from '../../parts/error-text.tsx'
import { AddForm } from '../parts/add-form.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { useFetched } from '../parts/fetched.ts'
import { Section } from '../parts/section.tsx'

type Export = { id: number; created_at: number; pending: boolean; failed: boolean; url: string | null }

/** How often to ask whether an export is ready, in milliseconds. */
const again = 2000

/** Archives of the user's own data, which the server makes in the background. */
export function OwnData() {
  const all = useFetched(() => untilDone(() => get<{ exports: Export[] }>('/rookery/own_exports')))
  let timer: ReturnType<typeof setTimeout> | undefined
  createEffect(() => {
    clearTimeout(timer)
    if (all.value()?.exports.some(({ pending }) => pending)) timer = setTimeout(all.refresh, again)
  })
  onCleanup(() => clearTimeout(timer))
  return (
    <Section note={t('own_data.note')}>
      <AddForm
        submit={t('own_data.start')}
        run={async () => {
          await postOnce('/rookery/own_exports', {})
          await all.refresh()
        }}
      />
      <ErrorText error={all.error()} />
      <DataTable
        label={t('own_data.title')}
        rows={[...(all.value()?.exports ?? [])].reverse()}
        idOf={({ id }) => id}
        columns={[
          { name: t('own_data.date'), show: (one) => dateAndTime(one().created_at) },
          { name: t('own_data.state'), show: (one) => <State one={one()} /> },
        ]}
        empty={t('own_data.none')}
      />
    </Section>
  )
}

function State(props: { one: Export }) {
  return (
    <Switch fallback={t('own_data.pending')}>
      <Match when={props.one.url}>
        {(url) => <a href={new URL(url(), location.href).pathname}>{t('own_data.download')}</a>}
      </Match>
      <Match when={props.one.failed}>{t('own_data.failed')}</Match>
    </Switch>
  )
}
