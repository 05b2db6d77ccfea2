// A browser opens six connections to a server that speaks HTTP/1.1, and all tabs share them. So only the tabs that were looked at
// last keep one open for their events; the requests of all tabs use the others.

/** How many tabs keep a connection. */
const most = 4
/** How long the other tabs have to answer, in milliseconds. */
const patience = 300

const ownId = Math.random()
/** When this tab was looked at last, in milliseconds since 1970. */
let lookedAt = Date.now()

/** Lets this tab keep a connection whichever tabs are looked at: it announces messages for all of them. */
export function keepConnection() {
  lookedAt = Number.POSITIVE_INFINITY
}

/** A message between tabs: the tab that sends it, and whether it asks for answers. */
type Word = { id: number; at: number; asks?: boolean }

/** Finds out whether this tab may keep a connection, and calls `tell`: after `look`, and when the user turns to another tab. */
export function tabConnections(tell: (mayStay: boolean) => void) {
  const channel = new BroadcastChannel('rookery.connections')
  /** The tabs that were looked at later than this one. */
  const later = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLooking = false
  let stays = true

  function look() {
    if (isOneEnough()) return tell(true)
    isLooking = true
    later.clear()
    say(true)
    clearTimeout(timer)
    timer = setTimeout(decide, patience)
  }
  const say = (asks: boolean) => channel.postMessage({ id: ownId, at: lookedAt, asks } satisfies Word)
  function decide() {
    isLooking = false
    clearTimeout(timer)
    stays = later.size < most
    tell(stays)
  }
  // Only tabs that keep a connection answer, and only a question makes them ask themselves: each answer reaches all tabs.
  channel.onmessage = ({ data: { id, at, asks } }: MessageEvent<Word>) => {
    if (at > lookedAt || (at === lookedAt && id > ownId)) later.add(id)
    else if (asks && stays) say(false)
    if (later.size < most) return
    if (isLooking) decide()
    // Some of those who have said something before may have closed.
    else if (asks && stays) look()
  }
  const seen = () => {
    if (document.visibilityState === 'hidden') return
    lookedAt = Math.max(lookedAt, Date.now())
    look()
  }
  // The one when another tab of the window is chosen, the other when another window is.
  document.addEventListener('visibilitychange', seen)
  addEventListener('focus', seen)
  function stop() {
    document.removeEventListener('visibilitychange', seen)
    removeEventListener('focus', seen)
    clearTimeout(timer)
    channel.close()
  }
  return { look, stop }
}

/** Whether the server speaks HTTP/2 or later, where one connection serves all tabs. */
function isOneEnough() {
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  return entries.some(({ nextHopProtocol }) => /^h[23]/.test(nextHopProtocol))
}
