// The code that follows the events. It is loaded beside the state: nothing needs it before, and the page begins without it. It
// imports nothing of the first load, which has not been evaluated before the state has come.

export { applyEvent } from '../../src/features/apply.ts'
export { EventStream } from '../api/stream.ts'
export { keepConnection } from '../api/tab-connections.ts'
