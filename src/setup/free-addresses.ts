import { isEmail } from '../lib/text/email.ts'
import type { RealmState } from '../log/realm-state.ts'

/** The email addresses of a new organization, each of which one account has. */
export class FreeAddresses {
  /** The domain of the addresses that replace missing ones. */
  private readonly nowhere: string
  private readonly taken = new Set<string>()

  constructor(state: RealmState, nowhere: string) {
    this.nowhere = nowhere
    for (const { delivery_email } of state.users.values()) this.taken.add(delivery_email.toLowerCase())
  }

  /** Takes an address; returns undefined if it is none, or that of another account. */
  take(address = ''): string | undefined {
    return isEmail(address) && this.add(address) ? address : undefined
  }

  /** Takes an address to which no mail can be sent, for an account of this name elsewhere. */
  standIn(id: string): string {
    const name = id
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '-')
      .slice(0, 40)
    for (let i = 0; ; i++) {
      const address = `${name}${i || ''}@${this.nowhere}`
      if (this.add(address)) return address
    }
  }

  private add(address: string): boolean {
    const key = address.toLowerCase()
    if (this.taken.has(key)) return false
    this.taken.add(key)
    return true
  }
}
