import { storedJson } from '../lib/stored-json.ts'
import type { Outgoing } from './outbox.ts'

// Each tab keeps its unsent messages under a name of its own, and holds a lock of this name as long as it lives. What has
// no living owner is taken up by the next tab that starts, so that a crash loses nothing and nothing is sent by two tabs.

const prefix = 'rookery.outbox.'
const tabKey = 'rookery.tab'

const tab = sessionStorage.getItem(tabKey) ?? crypto.getRandomValues(new Uint32Array(2)).join('-')
sessionStorage.setItem(tabKey, tab)
/**
 * The messages that this tab stored before it was reloaded; later only those of other users who had signed in in this
 * tab.
 */
let left = read(prefix + tab)
/** Absent on pages that are not secure; then a tab takes up its own messages alone. */
const locks: LockManager | undefined = navigator.locks

// Held until the tab ends. A duplicated tab has the name of its original, and waits here without harm.
void locks?.request(prefix + tab, () => new Promise(() => {})).catch(() => {})

export function keepOutgoing(all: readonly Outgoing[]) {
  try {
    const kept = [...left, ...all]
    if (kept.length === 0) localStorage.removeItem(prefix + tab)
    else localStorage.setItem(prefix + tab, JSON.stringify(kept))
  } catch {
    // The storage is full or not allowed; the messages are in memory.
  }
}

/** Returns what this tab has left before it was loaded anew, and what tabs have left that no longer live. */
export async function takeLeftOutgoing(userId: number): Promise<Outgoing[]> {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix) && name !== prefix + tab)
  const taken = left.filter((one) => one.userId === userId)
  left = left.filter((one) => one.userId !== userId)
  for (const name of names) {
    await locks?.request(name, { ifAvailable: true }, (lock) => {
      const all = lock ? read(name) : []
      const own = all.filter((one) => one.userId === userId)
      if (own.length === 0) return
      taken.push(...own)
      // Kept under this tab's name first: a crash in between must not lose them.
      keepOutgoing(taken)
      const others = all.filter((one) => one.userId !== userId)
      if (others.length === 0) localStorage.removeItem(name)
      else localStorage.setItem(name, JSON.stringify(others))
    })
  }
  return taken.sort((a, b) => a.localId.localeCompare(b.localId))
}

function read(name: string): Outgoing[] {
  return storedJson(localStorage, name, [])
}
