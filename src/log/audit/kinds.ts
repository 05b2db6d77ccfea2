import type { Rows } from '../../db/schema.ts'
import { namesIn } from '../../lib/collections/records.ts'
import { firstIn } from '../../lib/must.ts'
import type { AuditPlan } from './plan.ts'
import { auditPlans } from './plans.ts'

/** The plan of a table, undefined if its changes are not recorded. */
export function auditPlanOf(table: keyof Rows): AuditPlan | undefined {
  return (auditPlans as unknown as Partial<Record<keyof Rows, AuditPlan>>)[table]
}

const plans = namesIn(auditPlans).flatMap((table) => auditPlanOf(table) ?? [])

/** The kinds of entries that operations write themselves, as they follow from no row. */
const notedKinds = [
  'login.fail',
  'key.refuse',
  'organization.create',
  'organization.import',
  'organization.move',
  'export.write',
  'message.delete',
  'message.move',
] as const

export type NotedKind = (typeof notedKinds)[number]

/** Every kind of entry. */
export const auditKinds: readonly string[] = [
  ...new Set([
    ...notedKinds,
    ...plans.flatMap(({ object, topic = object, words, turn }) =>
      [...Object.values(words), ...(turn ? [turn.on, turn.off] : [])].map((word) => `${topic}.${word}`),
    ),
  ]),
].sort()

/** Every kind of entry, and the first words of kinds: each stands for all kinds that begin with it. */
export const auditKindWords: readonly string[] = [
  ...new Set(auditKinds.flatMap((kind) => [firstIn(kind.split('.')), kind])),
]

/** Everything that entries are about. */
export const auditObjects: readonly string[] = [...new Set(plans.map(({ object }) => object))].sort()
