import './styles/tokens.css'
import './styles/base.css'
import './styles/message.css'
import './styles/print.css'
import { render } from 'solid-js/web'
import { onSignedOut } from './api/client.ts'
import { languageKey, loadTexts } from './lib/i18n.ts'
import { untilLoaded } from './lib/load-part.ts'
import { askedUser, useNames } from './lib/router.ts'
import { useHours } from './lib/time.ts'
import { channelName } from './store/channels.ts'
import { home, isFirstStart } from './store/home.ts'
import { endKeeping, readKept } from './store/kept-state.ts'
import { restoreOutbox } from './store/outbox.ts'
import { field } from './store/server-state.ts'
import { isReady, setBootFailure, showKept, startSession } from './store/session.ts'
import { isSpectator } from './store/spectator.ts'
import { noticeFailure } from './view/parts/notices.tsx'
import { App } from './view/shell/app.tsx'
import { leaveSession } from './view/shell/signed-out.tsx'

/** How long a visit waits for the browser's database, in milliseconds. */
const patience = 1000

useNames({ channel: channelName })
useHours(() => field('user_settings')?.twenty_four_hour_time)

const root = document.getElementById('app')
// A database that answers late still has what to show, unless the server was faster.
const kept = readKept().then((found) => (found && !isReady() && showKept(found) ? found : undefined))
const late = new Promise<undefined>((resolve) => setTimeout(resolve, patience, undefined))
const shown = Promise.race([kept, late])
const session = shown.then(startSession)

/** Goes to the view that the user has chosen as the first one, if the address names none. */
function goHome() {
  const first = isFirstStart() ? '#welcome' : home()
  // The card of a user that the address names would close with the view below it.
  if (!location.hash && first !== '#inbox' && !askedUser()) location.replace(first)
}

// What spectators may read is known when the session has begun; whatever else they do leads to the sign-in page.
onSignedOut((isReading) => {
  const leave = () => void (isReading && isSpectator() ? undefined : leaveSession())
  session.then(leave, () => void leaveSession())
})
const registering = session.then(() => {
  if (isSpectator()) return
  goHome()
  void restoreOutbox()
}, setBootFailure)
await Promise.all([loadTexts([localStorage.getItem(languageKey) ?? '', ...navigator.languages]), shown])
try {
  if (await shown) goHome()
  if (root) render(() => <App />, root)
} catch (error) {
  // A state of the last visit that cannot be shown is given up. Without one, there is nothing else to try.
  if (!(await shown)) throw error
  console.error(error)
  await endKeeping()
  location.reload()
}
await registering
if (isReady() && !isSpectator()) {
  untilLoaded(() => import('./store/writing.ts'))
    .then(({ startWriting }) => startWriting())
    .catch(noticeFailure)
  if (location.hash === '#share')
    untilLoaded(() => import('./view/share/share.tsx'))
      .then(({ share }) => share())
      .catch(noticeFailure)
}
// Only tests set this; compare.ts says why.
if (sessionStorage.getItem('rookery.compare')) void import('./store/compare.ts')
