import { createRoot, createSignal, onCleanup, onMount } from 'solid-js'
import { get } from '../../api/client.ts'
import { t } from '../../lib/i18n.ts'
import { endKeeping } from '../../store/kept-state.ts'
import { goOn } from '../../store/session.ts'

// What would be lost if the page were left when the session ends. Drafts and edits of messages are kept anyway.
const wouldBeLost = 'dialog[open], [data-uploading], [data-changed]:not(.composer *, .edit-box *)'

const [isCovered, setCovered] = createRoot(() => createSignal(false))

/** Whether the page waits for its user to sign in again. */
export { isCovered }

addEventListener('input', ({ target }) => {
  ;(target as HTMLElement).dataset.changed = ''
})

/**
 * How long the end of the session leads nowhere after the user has signed out, in milliseconds. After that it does again, as the
 * browser may not have reached the next page.
 */
const leavePatience = 10_000

const never = Number.NEGATIVE_INFINITY
let leftAt = never
/** Whether the session has ended since. */
let hasEnded = false

/** Notes that the user is ending the session, and that the page is about to be left: an event may report its end first. */
export function noteLeaving() {
  leftAt = performance.now()
  hasEnded = false
}

/** Sends a request that ends the session, and then opens the sign-in page. If it fails, the session goes on, or has ended otherwise. */
export async function leaveBy(request: () => Promise<unknown>) {
  noteLeaving()
  try {
    await request()
  } catch (error) {
    leftAt = never
    if (hasEnded) void leaveSession()
    throw error
  }
  await endKeeping()
  location.assign('/login')
}

/** The session has ended: leads to the sign-in page, or covers this one if something would be lost. */
export async function leaveSession() {
  hasEnded = true
  if (isCovered() || performance.now() - leftAt < leavePatience) return
  if (document.querySelector(wouldBeLost)) setCovered(true)
  await endKeeping()
  if (!isCovered()) toSignIn()
}

function toSignIn() {
  location.assign(`/login?next=${encodeURIComponent(`/${location.hash}`)}`)
}

/** Escape does nothing. If it is pressed several times, Chromium would close the dialog below the cover as well. */
function ignoreEscape(event: KeyboardEvent) {
  if (event.key !== 'Escape') return
  event.preventDefault()
  event.stopPropagation()
}

/** Hides the page until its user has signed in in another tab. For another user, the next request loads the page anew. */
export function SignedOut() {
  let element!: HTMLDialogElement
  const covered = new AbortController()
  async function look() {
    await get('/users/me')
    // Gives the focus back.
    element.close()
    setCovered(false)
    goOn()
  }
  onMount(() => {
    element.showModal()
    for (const type of ['focus', 'visibilitychange'])
      addEventListener(type, () => void look().catch(() => {}), covered)
    addEventListener('keydown', ignoreEscape, { capture: true, signal: covered.signal })
  })
  onCleanup(() => covered.abort())
  return (
    <dialog
      ref={element}
      class="panel signed-out"
      aria-label={t('app.session_ended')}
      // A phone may close it by its back gesture, the second time without asking.
      onCancel={(event) => event.preventDefault()}
      onClose={() => isCovered() && element.showModal()}
    >
      <div class="panel-inside">
        <h2>{t('app.session_ended')}</h2>
        <p>{t('app.session_note')}</p>
        <div class="panel-actions">
          <button type="button" class="button" onClick={toSignIn}>
            {t('draft.discard')}
          </button>
          <a class="button primary" href="/login" target="_blank" rel="noopener" autofocus>
            {t('spectator.sign_in')}
          </a>
        </div>
      </div>
    </dialog>
  )
}
