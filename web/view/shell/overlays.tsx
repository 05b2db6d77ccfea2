import { Show } from 'solid-js'
import { Portal } from 'solid-js/web'
import { guardRoute } from '../../lib/router.ts'
import { asked, setAsked } from '../emoji/open-picker.ts'
import { closeDialogs, Dialogs, topDialog } from '../parts/dialog.tsx'
import { lazyPart, lazyPartWithTexts } from '../parts/lazy-part.tsx'
import { closeMenu, Menus } from '../parts/menu.tsx'
import { Notices, noticePlace } from '../parts/notices.tsx'
import { card, closeCard } from '../people/open-card.ts'
import { isCovered, SignedOut } from './signed-out.tsx'

const EmojiPicker = lazyPartWithTexts(
  () => import('../emoji/picker.tsx'),
  'EmojiPicker',
  () => setAsked(undefined),
)
const UserCard = lazyPart(() => import('../people/user-card.tsx'), 'UserCard', closeCard)

/** A popover that a modal dialog opens must be within it, as everything outside is inert. */
function layerOf(anchor: Element): Element {
  return anchor.closest('dialog') ?? document.body
}

/** They concern the view below them, so another view closes them. A dialog that would lose something has asked before. */
function closeOverlays() {
  closeMenu()
  closeCard()
  setAsked(undefined)
  closeDialogs()
  return false
}

/** Everything that covers the page: dialogs, menus, the emoji picker, notices. */
export function Overlays() {
  guardRoute(closeOverlays)
  return (
    <>
      <Dialogs />
      <Menus />
      <Show when={asked()} keyed>
        {(one) => (
          <Portal mount={layerOf(one.anchor)}>
            <EmojiPicker
              anchor={one.anchor}
              at={one.at}
              before={one.before}
              choose={one.choose}
              close={() => {
                if (asked() === one) setAsked(undefined)
              }}
            />
          </Portal>
        )}
      </Show>
      <Show when={card()} keyed>
        {(one) => (
          <Portal mount={layerOf(one.anchor)}>
            <UserCard
              at={one.at}
              before={one.before}
              userId={one.userId}
              close={() => {
                if (card() === one) closeCard()
              }}
            />
          </Portal>
        )}
      </Show>
      {/* Outside of a modal dialog, nobody could read or press them. */}
      <Portal mount={topDialog() ?? noticePlace() ?? document.body}>
        <Notices />
      </Portal>
      <Show when={isCovered()}>
        <SignedOut />
      </Show>
    </>
  )
}
