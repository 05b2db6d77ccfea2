import type { LookupAddress, LookupAllOptions } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { FairSemaphore } from '../lib/async/fair-semaphore.ts'
import { adapterLimits } from './limits.ts'

type Lookup = (hostname: string, options: LookupAllOptions) => Promise<LookupAddress[]>

/**
 * The lookups of names that users choose. A lookup cannot be called off, and Node runs two of them at a time in a process: names
 * whose servers may be silent take turns, and leave one to mail, files and sign-on. Domains take turns too: a silent one
 * with many names delays others by one lookup. Requests that need the same name while it waits or runs share its lookup.
 */
export class NameLookups {
  private readonly look: Lookup
  private readonly turns = new FairSemaphore(1, 1, {
    most: adapterLimits.lookupsWaiting,
    each: adapterLimits.lookupsWaiting,
  })
  private readonly underWay = new Map<string, Promise<LookupAddress[]>>()

  constructor(look: Lookup = lookup) {
    this.look = look
  }

  find(hostname: string, options: LookupAllOptions): Promise<LookupAddress[]> {
    const key = JSON.stringify([hostname, options.family, options.hints])
    const known = this.underWay.get(key)
    if (known) return known
    const found = this.inTurn(hostname, options).finally(() => this.underWay.delete(key))
    this.underWay.set(key, found)
    return found
  }

  private async inTurn(hostname: string, options: LookupAllOptions) {
    const domain = hostname.split('.').slice(-2).join('.')
    const end = await this.turns.take({ group: domain, name: hostname }, adapterLimits.lookupWaitSeconds)
    return this.look(hostname, options).finally(end)
  }
}
