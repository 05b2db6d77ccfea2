import { auditTopics } from '../../../lib/audit.ts'
import { t } from '../../../lib/i18n.ts'
import { SelectField } from '../../parts/fields.tsx'
import { Principals } from '../parts/principals.tsx'

/** The parameters of the list, as the API has them. */
export type Filter = { kind?: string; actor_id?: number; since?: number; until?: number }

const secondsAt = (day: string, plusDays: number) => {
  const date = new Date(`${day}T00:00`)
  date.setDate(date.getDate() + plusDays)
  return Math.floor(date.getTime() / 1000)
}

/** Filters the shown entries: by their objects, actors and times. */
export function AuditFilters(props: { filter: Filter; set(filter: Filter): void }) {
  const change = (changed: { [Name in keyof Filter]: Filter[Name] | undefined }) => {
    const all = Object.entries({ ...props.filter, ...changed }).filter(([, value]) => value !== undefined)
    props.set(Object.fromEntries(all))
  }
  const actors = () => (props.filter.actor_id === undefined ? [] : [props.filter.actor_id])
  return (
    <div class="audit-filters">
      <SelectField
        label={t('audit.about')}
        value={props.filter.kind ?? ''}
        options={[
          ['', t('audit.everything')],
          ...auditTopics.map((topic): [string, string] => [topic, t(`audit_topic.${topic}`)]),
        ]}
        choose={(kind) => change({ kind: kind || undefined })}
      />
      <div class="audit-actor">
        {t('audit.by')}
        <Principals
          label={t('audit.by')}
          placeholder={t('audit.anyone')}
          chosen={{ direct_members: actors(), direct_subgroups: [] }}
          // The one who was chosen last takes the place of the one before.
          change={({ direct_members: ids }) =>
            change({ actor_id: ids.find((id) => id !== props.filter.actor_id) })
          }
          takes={(option) => !('group' in option)}
          hasFormer
        />
      </div>
      <DayField
        label={t('audit.since')}
        change={(day) => change({ since: day === undefined ? undefined : secondsAt(day, 0) })}
      />
      <DayField
        label={t('audit.until')}
        change={(day) => change({ until: day === undefined ? undefined : secondsAt(day, 1) })}
      />
    </div>
  )
}

function DayField(props: { label: string; change(day: string | undefined): void }) {
  return (
    <label>
      {props.label}
      <input
        class="field"
        type="date"
        onChange={(event) => props.change(event.currentTarget.value || undefined)}
      />
    </label>
  )
}
