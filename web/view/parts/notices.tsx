import './notices.css'
import { createRoot, createSignal, For, Show } from 'solid-js'
import { get } from '../../api/client.ts'
import { errorMessage, isPartMissing, isUnreachable } from '../../lib/error-message.ts'
import { t } from '../../lib/i18n.ts'
import { Icon } from './icon.tsx'

/** What a notice offers to do, such as to undo what it tells of. */
type Offer = { label: string; run(): void }
type Notice = { id: number; text: string; isFailure: boolean; offer: Offer | undefined }

/** How long a notice stays, in milliseconds: longer if it offers something. */
const stays = 5000
const staysWithOffer = 10_000

const [notices, setNotices] = createRoot(() => createSignal<Notice[]>([]))
let last = 0

/** Tells the user quietly of something that was done. */
export function notice(text: string, options: { offer?: Offer; isFailure?: boolean } = {}) {
  const one = { id: ++last, text, isFailure: options.isFailure ?? false, offer: options.offer }
  setNotices((all) => [...all.slice(-2), one])
  setTimeout(() => close(one.id), one.offer || one.isFailure ? staysWithOffer : stays)
}

/** Tells the user that a request did not succeed. To be used as `.catch(noticeFailure)`. */
export function noticeFailure(error: unknown) {
  const reason = errorMessage(error)
  const text = isUnreachable(error) || isPartMissing(error) ? reason : t('notice.failed', { reason })
  notice(text, { isFailure: true, ...(isPartMissing(error) && { offer: reloading() }) })
}

function reloading(): Offer {
  return { label: t('notice.reload'), run: () => void reload().catch(noticeFailure) }
}

/** Loads the page again, which keeps drafts and the open view; not while the server cannot be reached, as the page would be gone. */
export async function reload() {
  await get('/server_settings')
  location.reload()
}

function close(id: number) {
  setNotices((all) => all.filter((one) => one.id !== id))
}

/** Where the notices are shown; once in the page. */
export function Notices() {
  return (
    <div class="notices" role="status" aria-label={t('notice.label')}>
      <For each={notices()}>
        {(one) => (
          <p class="notice" classList={{ failure: one.isFailure }}>
            <Show when={one.isFailure}>
              <Icon name="warning" />
            </Show>
            <span dir="auto">{one.text}</span>
            <Show when={one.offer}>
              {(offer) => (
                <button
                  type="button"
                  class="button"
                  onClick={() => {
                    close(one.id)
                    offer().run()
                  }}
                >
                  {offer().label}
                </button>
              )}
            </Show>
            <button
              type="button"
              class="icon-button"
              aria-label={t('notice.close')}
              onClick={() => close(one.id)}
            >
              <Icon name="close" />
            </button>
          </p>
        )}
      </For>
    </div>
  )
}
