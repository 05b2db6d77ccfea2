import { copyAsMarkdown } from '../feed/copying.ts'
import { findByName } from '../feed/find-by-name.ts'
import { followMoves } from '../feed/follow-moves.ts'
import { followAskedUser } from '../people/follow-asked.ts'
import { showCutNames } from './cut-names.ts'
import { holdDrops } from './hold-drops.ts'
import { holdSigns } from './hold-signs.ts'
import { keepMovedFocus } from './keep-moved-focus.ts'
import { tellUnsent } from './tell-unsent.ts'

/** Begins what the page does besides, which its first view does not need. */
export function beginAfterwards() {
  followMoves()
  findByName()
  followAskedUser()
  copyAsMarkdown()
  showCutNames()
  tellUnsent()
  holdSigns()
  holdDrops()
  keepMovedFocus()
}
