import { isDeepStrictEqual } from 'node:util'
import type { AuditEntryRow, Rows } from '../../db/schema.ts'
import { isObject } from '../../lib/is-object.ts'
import type { RealmState } from '../realm-state.ts'
import { type Actor, serverActor } from './actor.ts'
import { auditPlanOf, type NotedKind } from './kinds.ts'
import type { AuditPlan } from './plan.ts'

type AuditEntry = Omit<AuditEntryRow, 'realm_id' | 'id'>

/** The fields of an entry that follow from the rows. The actor and the time are not among them. */
type Finding = Pick<AuditEntry, 'kind' | 'object' | 'object_id' | 'before' | 'after'> & {
  name?: string | null
}

/** An entry that an operation writes itself, since it follows from no row. */
export type Note = {
  kind: NotedKind
  object: string
  objectId?: number
  details?: Record<string, unknown>
  /**
   * The users who own the changed objects. There is no entry if the acting user is the only owner, or if the server
   * acts.
   */
  owners?: number[]
}

type Values = Record<string, unknown>
type RowDifference = { plan: AuditPlan; before: Values | null; after: Values | null }

/** The value that entries show for a changed secret. */
const concealed = '[secret]'

/**
 * Gathers what a change does to audited rows (src/log/audit/plans.ts), and makes the entries of the audit log from it.
 * A row counts once, however often the change writes it.
 */
export class AuditTrail {
  actor: Actor
  private readonly rows = new Map<string, RowDifference>()
  private readonly notes: Note[] = []
  private readonly isOfNewRealm: boolean

  /** The rows of a new organization need no entries: one note says that it was created. */
  constructor(actor: Actor = serverActor, isOfNewRealm = false) {
    this.actor = actor
    this.isOfNewRealm = isOfNewRealm
  }

  /** Takes in a row that was written. `before`: the row before the change; later calls for it count for `after` alone. */
  add(table: keyof Rows, key: number | string, before: object | null, after: object | null) {
    const plan = auditPlanOf(table)
    if (!plan || this.isOfNewRealm) return
    const place = `${table} ${key}`
    const known = this.rows.get(place)
    if (known) known.after = after as Values | null
    else this.rows.set(place, { plan, before: before as Values | null, after: after as Values | null })
  }

  note(note: Note) {
    this.notes.push(note)
  }

  get isEmpty(): boolean {
    return this.rows.size === 0 && this.notes.length === 0
  }

  /** Returns the entries of a change: `before` and `after` are the states without and with it. */
  entries(before: RealmState, after: RealmState, now: number): AuditEntry[] {
    const { userId } = this.actor
    const actorName = userId === null ? undefined : after.users.get(userId)?.full_name
    const who = { ...actorColumns(this.actor), actor_name: actorName ?? null }
    return this.findings(before).map(({ name, ...finding }) => {
      const known = nameOf(after, finding.object, finding.object_id) ?? name ?? null
      return { at: now, ...finding, object_name: known, ...who }
    })
  }

  private findings(before: RealmState): Finding[] {
    const differences = [...this.rows.values()].filter((row) => !this.isOwn(row, before))
    return [
      ...differences.filter(({ plan }) => !plan.members).flatMap((row) => findingOf(row) ?? []),
      ...membershipFindings(differences.filter(({ plan }) => plan.members)),
      ...this.notes
        .filter((note) => this.concernsOthers(note))
        .map(({ kind, object, objectId = null, details = null }) => {
          return { kind, object, object_id: objectId, before: null, after: details }
        }),
    ]
  }

  private concernsOthers({ owners }: Note): boolean {
    const { means, userId } = this.actor
    return !owners || (means !== 'server' && owners.some((id) => id !== userId))
  }

  private isOwn({ plan, before, after }: RowDifference, { users }: RealmState): boolean {
    if (!plan.exceptOwn) return false
    const userId = (after ?? before)?.[plan.exceptOwn] as number
    return userId === this.actor.userId || users.get(userId) === undefined
  }
}

/** Returns the columns of an entry that name the actor. */
export function actorColumns({ userId, means, meansId, operation, client, ip, osUser }: Actor) {
  return { actor_id: userId, means, means_id: meansId, operation, client, ip, os_user: osUser }
}

function findingOf({ plan, before, after }: RowDifference): Finding | undefined {
  const word = wordFor(plan, before, after)
  const row = after ?? before
  if (!word || !row) return undefined
  const changed = differenceOf(plan, before, after)
  if (!changed) return undefined
  return { ...about(plan, word, row), ...changed, name: plan.name ? (row[plan.name] as string | null) : null }
}

function about({ object, id, topic = object }: AuditPlan, word: string, row: Values) {
  return { kind: `${topic}.${word}`, object, object_id: id ? (row[id] as number) : null }
}

function wordFor({ words, turn }: AuditPlan, before: Values | null, after: Values | null) {
  if (!before) return after ? words.create : undefined
  if (!after) return words.delete
  const [was, is] = turn ? [Boolean(before[turn.column]), Boolean(after[turn.column])] : []
  return turn && was !== is ? (is ? turn.on : turn.off) : words.update
}

/** Returns the recorded values that differ; undefined if nothing differs that an administrator might look up. */
function differenceOf(plan: AuditPlan, before: Values | null, after: Values | null) {
  if (!before || !after)
    return { before: before && keptOf(plan, before), after: after && keptOf(plan, after) }
  const was: Values = {}
  const is: Values = {}
  for (const column of plan.kept) {
    if (isDeepStrictEqual(before[column], after[column])) continue
    const [old, now] = onlyDifferent(before[column], after[column])
    was[column] = old
    is[column] = now
  }
  for (const column of plan.secret ?? []) {
    if (!isDeepStrictEqual(before[column], after[column])) was[column] = is[column] = concealed
  }
  if (Object.keys(is).length === 0) return undefined
  const same = Object.fromEntries((plan.always ?? []).map((column) => [column, after[column]]))
  return { before: { ...same, ...was }, after: { ...same, ...is } }
}

function keptOf({ kept }: AuditPlan, row: Values): Values {
  return Object.fromEntries(kept.map((column) => [column, row[column] ?? null]))
}

/** Returns the fields that differ between two objects, such as the settings of an organization. */
function onlyDifferent(old: unknown, now: unknown): [unknown, unknown] {
  if (!isObject(old) || !isObject(now)) return [old ?? null, now ?? null]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  const different = names.filter((name) => !isDeepStrictEqual(old[name], now[name]))
  const pick = (from: Values) => Object.fromEntries(different.map((name) => [name, from[name] ?? null]))
  return [pick(old), pick(now)]
}

/** Returns one finding for each object and direction, with a list of those that came into it or left it. */
function membershipFindings(rows: RowDifference[]): Finding[] {
  const found = new Map<string, Finding & { ids: unknown[]; as: string; isGain: boolean }>()
  for (const { plan, before, after } of rows) {
    const { members } = plan
    const isIn = (row: Values | null) => row !== null && (members?.isIn?.(row as never) ?? true)
    const [was, is] = [isIn(before), isIn(after)]
    const word = is ? plan.words.create : plan.words.delete
    const row = after ?? before
    if (!members || !row || !word || was === is) continue
    const what = about(plan, word, row)
    const place = `${what.kind} ${what.object_id}`
    const known = found.get(place) ?? {
      ...what,
      ids: [],
      as: members.as,
      isGain: is,
      before: null,
      after: null,
    }
    known.ids.push(row[members.column])
    found.set(place, known)
  }
  return [...found.values()].map(({ ids, as, isGain, ...finding }) => {
    const list = { [as]: ids }
    return { ...finding, before: isGain ? null : list, after: isGain ? list : null }
  })
}

/** The name of an object that every node knows. */
function nameOf(state: RealmState, object: string, id: number | null): string | undefined {
  if (object === 'organization') return state.row.name
  if (id === null) return undefined
  if (object === 'user') return state.users.get(id)?.full_name
  if (object === 'channel') return state.channels.get(id)?.name
  return object === 'group' ? state.groups.get(id)?.name : undefined
}
