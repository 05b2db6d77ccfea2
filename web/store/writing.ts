import './draft-list.ts'
import { startMoves } from './moves.ts'
import { startReportingPresence } from './presence.ts'
import { startTyping } from './typing.ts'

/** Begins what only those need who write; loaded behind the first messages, when the state has arrived. */
export function startWriting() {
  startTyping()
  startMoves()
  startReportingPresence()
}
