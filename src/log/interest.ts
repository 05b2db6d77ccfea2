import { logLimits } from './limits.ts'

/** Organizations by their numbers: a node says in few bytes which of these groups it follows. */
export const groupsOfOrganizations = 256

export function groupOf(realmId: number): number {
  return realmId % groupsOfOrganizations
}

/** Groups of organizations, as a set of bits. */
type Groups = Uint8Array

const wantedPattern = /^want:([0-9a-f]{8})$/
const followedPattern = /^follow:([0-9a-f]{8}):([0-9a-f]{64})(:ask)?$/

/** How often a node says what it follows, and for how long the others then believe it. */
export const interestMs = 60_000
const believedMs = 2.5 * interestMs

/** The organizations that this node follows. */
export class Followed {
  readonly all = new Set<number>()
  private readonly ofGroup = new Map<number, number>()
  private readonly isEverything: boolean

  /** `isEverything`: it follows all there are. */
  constructor(isEverything: boolean) {
    this.isEverything = isEverything
  }

  /** Returns whether its group is followed from now on. */
  add(realmId: number): boolean {
    if (this.all.has(realmId)) return false
    this.all.add(realmId)
    const group = groupOf(realmId)
    const count = this.ofGroup.get(group) ?? 0
    this.ofGroup.set(group, count + 1)
    return count === 0 && !this.isEverything
  }

  delete(realmId: number) {
    if (!this.all.delete(realmId)) return
    const group = groupOf(realmId)
    const count = this.ofGroup.get(group)! - 1
    if (count === 0) this.ofGroup.delete(group)
    else this.ofGroup.set(group, count)
  }

  /**
   * Tells the others: in words of this version, and in those of the version before, whose nodes send everything to all.
   * `asks`: whether the others are to answer with theirs.
   */
  calls(id: string, asks: boolean): string[] {
    const bits = Buffer.alloc(groupsOfOrganizations / 8, this.isEverything ? 0xff : 0)
    for (const group of this.ofGroup.keys()) bits[group >> 3]! |= 1 << (group & 7)
    return [`follow:${id}:${bits.toString('hex')}${asks ? ':ask' : ''}`, `want:${id}`]
  }
}

/** What other nodes follow, as far as they have said it. */
export class Interest {
  private readonly nodes = new Map<string, { groups: Groups; until: number }>()
  /** Until when a node of the version before wants news, in milliseconds of performance.now(). */
  private olderUntil = 0

  /** Whether a node of the version before is there, which hears only what all hear. */
  get hasOlder(): boolean {
    return performance.now() < this.olderUntil
  }

  /** Whether another node wants news of this organization. */
  wants(realmId: number): boolean {
    const now = performance.now()
    if (now < this.olderUntil) return true
    const group = groupOf(realmId)
    for (const { groups, until } of this.nodes.values()) if (now < until && has(groups, group)) return true
    return false
  }

  /**
   * Takes a call in which a node says what it wants; undefined if it is another call. Returns whether it asks for an answer, as
   * it has just connected, and whether an organization is in a group of which it may have missed something before.
   */
  hear(call: string, own: string): { asks: boolean; isNew(realmId: number): boolean } | undefined {
    const [, older] = wantedPattern.exec(call) ?? []
    if (older !== undefined) return this.hearOlder(older, own)
    const [, id, bits, ask] = followedPattern.exec(call) ?? []
    if (id === undefined || bits === undefined) return undefined
    if (id === own) return { asks: false, isNew: () => false }
    const before = this.nodes.get(id)?.groups
    // It also says that it wants everything, as nodes of the version before do, and is then taken for one of them.
    if (!before && this.nodes.size >= logLimits.nodesFollowing) return { asks: false, isNew: () => false }
    const groups = Buffer.from(bits, 'hex')
    this.nodes.set(id, { groups, until: performance.now() + believedMs })
    const asks = ask !== undefined
    const isNew = (realmId: number) => {
      const group = groupOf(realmId)
      return has(groups, group) && (asks || !(before && has(before, group)))
    }
    return { asks, isNew }
  }

  /** Forgets the nodes that say nothing any more. */
  forgetSilent() {
    const now = performance.now()
    for (const [id, { until }] of this.nodes) if (until < now) this.nodes.delete(id)
  }

  /** A node of this version has said the other call before. */
  private hearOlder(id: string, own: string) {
    const isOlder = id !== own && !this.nodes.has(id)
    const isNews = isOlder && !this.hasOlder
    if (isOlder) this.olderUntil = performance.now() + olderBelievedMs
    return { asks: isNews, isNew: () => isNews }
  }
}

/** Those nodes say it every five minutes. */
const olderBelievedMs = 750_000

function has(groups: Groups, group: number): boolean {
  return (groups[group >> 3]! & (1 << (group & 7))) !== 0
}
