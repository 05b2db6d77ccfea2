import { createMemo, createSignal, lazy, on, onCleanup, Show } from 'solid-js'
import { untilLoaded } from '../../lib/load-part.ts'
import { route } from '../../lib/router.ts'
import { loadWithTexts } from '../../lib/with-texts.ts'
import { isConnected } from '../../store/session.ts'
import { hintFor, isLeft } from './hint-table.ts'

const HintCard = lazy(() =>
  untilLoaded(() => loadWithTexts(() => import('./hint-card.tsx'))).then(
    ({ HintCard }) => ({ default: HintCard }),
    () => ({ default: () => undefined }),
  ),
)

/** Screens on which the rail is beside the view, and high enough for a card below its list. */
const room = '(min-width: 720px) and (min-height: 600px)'

/** A hint about the open view, at the end of the rail. It goes when the user has read it, here or elsewhere. */
export function Hints() {
  const hint = useHint()
  return (
    <Show when={hint()} keyed>
      {(one) => <HintCard hint={one} />}
    </Show>
  )
}

function useHint() {
  const hasRoom = useRoom()
  // The state of the last visit does not know what was read elsewhere since.
  const isCurrent = createMemo<boolean>((before) => before || isConnected(), false)
  const place = createMemo(() => JSON.stringify({ ...route(), near: undefined }))
  // Chosen once for each view, so that the next one does not follow immediately.
  const chosen = createMemo(on([place, isCurrent], () => (isCurrent() ? hintFor(route()) : undefined)))
  return () => {
    const one = chosen()
    return one && hasRoom() && isLeft(one.step) ? one : undefined
  }
}

function useRoom() {
  const query = matchMedia(room)
  const [hasRoom, setRoom] = createSignal(query.matches)
  const look = () => setRoom(query.matches)
  query.addEventListener('change', look)
  onCleanup(() => query.removeEventListener('change', look))
  return hasRoom
}
