import { For, Show } from 'solid-js'
import { type AuditEntry, auditTopics, auditWords, changesOf } from '../../../lib/audit.ts'
import { t } from '../../../lib/i18n.ts'
import { dateAndTime } from '../../../lib/time.ts'
import { nameOf } from '../../../store/people.ts'

function kindName(kind: string): string {
  const [first = '', ...rest] = kind.split('.')
  const topic = auditTopics.find((one) => one === first)
  const word = auditWords.find((one) => one === rest.join('.'))
  return topic && word ? `${t(`audit_topic.${topic}`)} · ${t(`audit_word.${word}`)}` : kind
}

function actorName({ actor_id: id, actor_name: name, means, os_user: osUser }: AuditEntry): string {
  if (name !== null) return name
  if (id !== null) return nameOf(id)
  return means === 'command' ? t('audit.command', { user: osUser ?? '' }) : t('audit.server')
}

/** One entry: what happened to what, by whom, and the values before and after. */
export function Entry(props: { entry: AuditEntry }) {
  const changes = () => changesOf(props.entry)
  return (
    <li>
      <div class="audit-head">
        <strong>{kindName(props.entry.kind)}</strong>
        <Show when={props.entry.object_name}>{(name) => <span dir="auto">{name()}</span>}</Show>
        <time datetime={new Date(props.entry.at * 1000).toISOString()}>{dateAndTime(props.entry.at)}</time>
      </div>
      <p class="set-note" dir="auto">
        {t('audit.done_by', { name: actorName(props.entry) })} · <code>{props.entry.operation}</code>
        <Show when={props.entry.ip}>{(ip) => <> · {ip()}</>}</Show>
      </p>
      <Show when={changes().length > 0}>
        <details class="audit-changes">
          <summary>{t('audit.changes', { count: changes().length })}</summary>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('audit.value')}</th>
                <th scope="col">{t('audit.before')}</th>
                <th scope="col">{t('audit.after')}</th>
              </tr>
            </thead>
            <tbody>
              <For each={changes()}>
                {(change) => (
                  <tr>
                    <th scope="row">{change.name}</th>
                    <td dir="auto">{change.before || '–'}</td>
                    <td dir="auto">{change.after || '–'}</td>
                  </tr>
                )}
              </For>
            </tbody>
          </table>
        </details>
      </Show>
    </li>
  )
}
