import { Show } from 'solid-js'
import { remove } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import type { Channel } from '../../store/server-state-types.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { askFirst } from '../parts/confirm.tsx'
import { notice } from '../parts/notices.tsx'

/** Archives a channel after a question, or takes it back. */
export function Archive(props: {
  channel: Channel
  send(params: Record<string, unknown>): Promise<unknown>
  reason: string | undefined
  close(): void
}) {
  function archive() {
    const { stream_id, name } = props.channel
    askFirst({
      title: t('channel.archive'),
      text: t('channel.archive_question', { name }),
      action: t('channel.archive'),
      run: async (close) => {
        await remove(`/streams/${stream_id}`)
        notice(t('channel.archived', { name }))
        close()
        props.close()
      },
    })
  }
  return (
    <div class="setting">
      <Show
        when={props.channel.is_archived}
        fallback={
          <ActionButton isDangerous reason={props.reason} run={archive}>
            {t('channel.archive')}
          </ActionButton>
        }
      >
        <ActionButton reason={props.reason} run={() => props.send({ is_archived: false })}>
          {t('channel.unarchive')}
        </ActionButton>
      </Show>
      <Show when={props.reason}>{(reason) => <p class="inbox-note">{reason()}</p>}</Show>
    </div>
  )
}
