import { logLimits } from '../limits.ts'

/** Nodes state which organizations they follow by groups of ids, which takes few bytes. */
export const groupsOfOrganizations = 256

export function groupOf(realmId: number): number {
  return realmId % groupsOfOrganizations
}

/** Groups of organizations, as a set of bits. */
type Groups = Uint8Array

const wantedPattern = /^want:([0-9a-f]{8})$/
const followedPattern = /^follow:([0-9a-f]{8}):([0-9a-f]{64})(:ask)?$/

/** How often a node announces what it follows, and for how long the others rely on it, in milliseconds. */
export const interestMs = 60_000
const believedMs = 2.5 * interestMs

/** The organizations of which this node wants news. */
export class Followed {
  readonly all = new Set<number>()
  private readonly ofGroup = new Map<number, number>()
  private readonly isEverything: boolean

  /** `isEverything`: it follows all organizations. */
  constructor(isEverything: boolean) {
    this.isEverything = isEverything
  }

  /** Returns whether this is the first followed organization of its group. */
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
   * Returns the announcements: one for nodes of this version, and one for those of the version before, which send
   * everything to all nodes. `asks`: whether the others must reply with theirs.
   */
  calls(id: string, asks: boolean): string[] {
    const bits = Buffer.alloc(groupsOfOrganizations / 8, this.isEverything ? 0xff : 0)
    for (const group of this.ofGroup.keys()) bits[group >> 3]! |= 1 << (group & 7)
    return [`follow:${id}:${bits.toString('hex')}${asks ? ':ask' : ''}`, `want:${id}`]
  }
}

/** The organizations that other nodes follow, as they have announced. */
export class Interest {
  private readonly nodes = new Map<string, { groups: Groups; until: number }>()
  /** The time until which a node of the version before wants news, in milliseconds of performance.now(). */
  private olderUntil = 0

  /** Whether a node of the version before is running. It reads only the channel of all nodes. */
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
   * Reads an announcement of what a node follows; returns undefined for any other call. `asks`: the node has just
   * connected and wants a reply. `isNew`: whether an organization is in a group that the node did not follow before, so
   * that it may have missed something.
   */
  readAnnouncement(
    call: string,
    own: string,
  ): { asks: boolean; isNew(realmId: number): boolean } | undefined {
    const [, older] = wantedPattern.exec(call) ?? []
    if (older !== undefined) return this.readOlder(older, own)
    const [, id, bits, ask] = followedPattern.exec(call) ?? []
    if (id === undefined || bits === undefined) return undefined
    if (id === own) return { asks: false, isNew: () => false }
    const before = this.nodes.get(id)?.groups
    // Such a node also sends the older announcement, which asks for everything, and is treated as a node of the version
    // before.
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

  /** Forgets the nodes that no longer announce anything. */
  forgetSilent() {
    const now = performance.now()
    for (const [id, { until }] of this.nodes) if (until < now) this.nodes.delete(id)
  }

  /** A node of this version sends the newer announcement first. */
  private readOlder(id: string, own: string) {
    const isOlder = id !== own && !this.nodes.has(id)
    const isNews = isOlder && !this.hasOlder
    if (isOlder) this.olderUntil = performance.now() + olderBelievedMs
    return { asks: isNews, isNew: () => isNews }
  }
}

/** Nodes of the version before announce it every five minutes. */
const olderBelievedMs = 750_000

function has(groups: Groups, group: number): boolean {
  return (groups[group >> 3]! & (1 << (group & 7))) !== 0
}
