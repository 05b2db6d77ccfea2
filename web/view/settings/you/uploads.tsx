import { Show } from 'solid-js'
import { get, remove } from '../../../api/client.ts'
import { language, t } from '../../../lib/i18n.ts'
import { inOrder } from '../../../lib/in-order.ts'
import { dateAndTime } from '../../../lib/time.ts'
import { field } from '../../../store/server-state.ts'
import { IconButton } from '../../parts/action-button.tsx'
import { askFirst } from '../../parts/confirm.tsx'
import { ErrorText } from '../../parts/error-text.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { useFetched } from '../parts/fetched.ts'
import { Section } from '../parts/section.tsx'

type Attachment = {
  id: number
  name: string
  path_id: string
  size: number
  /** In milliseconds. */
  create_time: number
  messages: { id: number }[]
}

/** The user's files, with the space that those of the organization take. */
export function Uploads() {
  const all = useFetched(
    () => get<{ attachments: Attachment[]; upload_space_used: number }>('/attachments'),
    ['attachment'],
  )
  const quota = () => field('realm_upload_quota_mib')
  const space = () => {
    const used = size(all.value()?.upload_space_used ?? 0)
    const most = quota()
    return most === null
      ? t('uploads.space', { used })
      : t('uploads.quota', { used, quota: size(most * 2 ** 20) })
  }
  return (
    <Section>
      <ErrorText error={all.error()} />
      <Show when={all.value()}>
        {(data) => (
          <>
            <p class="set-note">{space()}</p>
            <DataTable
              label={t('uploads.title')}
              rows={data().attachments}
              idOf={({ id }) => id}
              columns={columns()}
              textOf={({ name }) => name}
              sortedBy={2}
              empty={t('uploads.none')}
              actions={(one) => (
                <IconButton
                  icon="trash"
                  label={t('uploads.delete', { name: one().name })}
                  run={() => ask(one())}
                />
              )}
            />
          </>
        )}
      </Show>
    </Section>
  )
}

function ask({ id, name, messages }: Attachment) {
  askFirst({
    title: t('uploads.delete', { name }),
    text: t('uploads.delete_note', { count: messages.length }),
    action: t('message.delete'),
    run: () => remove(`/attachments/${id}`),
  })
}

function columns(): Column<Attachment>[] {
  return [
    {
      name: t('uploads.name'),
      show: (one) => (
        <a
          href={`/user_uploads/${one().path_id}`}
          target="_blank"
          rel="noreferrer"
          dir="auto"
          title={one().name}
        >
          {one().name}
        </a>
      ),
      compare: (a, b) => inOrder(a.name, b.name),
    },
    {
      name: t('uploads.size'),
      show: (one) => size(one().size),
      compare: (a, b) => b.size - a.size,
      isNumber: true,
    },
    {
      name: t('uploads.date'),
      show: (one) => dateAndTime(one().create_time / 1000),
      compare: (a, b) => b.create_time - a.create_time,
      isExtra: true,
    },
    {
      name: t('uploads.messages'),
      show: (one) => one().messages.length,
      compare: (a, b) => b.messages.length - a.messages.length,
      isNumber: true,
      isExtra: true,
    },
  ]
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']

/** A number of bytes in the largest unit that it reaches. */
function size(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const options = { style: 'unit', unit: units[step] ?? 'byte', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, options).format(bytes / 2 ** (10 * step))
}
