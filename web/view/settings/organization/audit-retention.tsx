import { Show } from 'solid-js'
import { patch } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import type { DurationSpec, Value } from '../parts/declare.ts'
import { DurationControl } from '../parts/duration-control.tsx'
import { useSetting } from '../parts/setting.tsx'

const spec: DurationSpec = {
  kind: 'duration',
  key: 'audit_days',
  text: 'audit.keep',
  options: [
    { value: null, text: 'retention.forever' },
    { value: 365, text: 'org_limit.year' },
  ],
  custom: { factor: 1, unit: 'org_limit.days', min: 30, max: 36_500 },
}

/** For how long entries are kept. `days`: null for ever, undefined as long as it is not known. */
export function AuditRetention(props: { days: number | null | undefined; saved(days: number | null): void }) {
  return (
    <Show when={props.days !== undefined}>
      <Control days={props.days ?? null} saved={props.saved} />
    </Show>
  )
}

function Control(props: { days: number | null; saved(days: number | null): void }) {
  const setting = useSetting<Value>(
    () => props.days,
    (value) =>
      patch('/rookery/audit_log', { retention_days: value }).then(() => props.saved(value as number | null)),
  )
  return (
    <DurationControl
      key="audit_days"
      label={t('audit.keep')}
      note={t('audit.keep_note')}
      setting={setting}
      spec={spec}
    />
  )
}
