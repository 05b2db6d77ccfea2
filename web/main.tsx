import './styles/tokens.css'
import './styles/base.css'
import './styles/message.css'
import { render } from 'solid-js/web'
import { onSignedOut } from './api/client.ts'
import { languageKey, loadTexts } from './lib/i18n.ts'
import { useNames } from './lib/router.ts'
import { channelName } from './store/channels.ts'
import { home } from './store/home.ts'
import { restoreOutbox } from './store/outbox.ts'
import { setBootFailure, startSession } from './store/session.ts'
import { isSpectator } from './store/spectator.ts'
import { App } from './view/shell/app.tsx'

useNames({ channel: channelName })

const root = document.getElementById('app')
const session = startSession()
const toSignIn = () => location.assign(`/login?next=${encodeURIComponent(`/${location.hash}`)}`)
// What spectators may read is known when the session has begun; whatever else they do leads to the sign-in page.
onSignedOut((isReading) => void session.then(() => !(isReading && isSpectator()) && toSignIn(), toSignIn))
const registering = session.then(() => {
  if (isSpectator()) return
  if (!location.hash && home() !== '#inbox') location.replace(home())
  void restoreOutbox()
  void import('./store/writing.ts').then(({ startWriting }) => startWriting())
}, setBootFailure)
await loadTexts([localStorage.getItem(languageKey) ?? '', ...navigator.languages])
if (root) render(() => <App />, root)
await registering
// For tests; it says what for.
if (sessionStorage.getItem('rookery.compare')) void import('./store/compare.ts')
