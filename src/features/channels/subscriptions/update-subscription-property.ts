import { z } from 'zod'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { Param, pathInteger, text, unquoted } from '../../../http/params.ts'
import { describeIssue } from '../../../http/validation.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { firstIn } from '../../../lib/must.ts'
import { colorFormat } from './colors.ts'
import {
  changeProperties,
  checkProperties,
  propertyChangeSchema,
  subscriptionProperties,
} from './subscription-properties.ts'

export const updateSubscriptionProperty = command('PATCH /users/me/subscriptions/{stream_id}', {
  summary: "Update one property of one of the caller's subscriptions",
  access: requireUser,
  params: {
    stream_id: pathInteger(),
    property: text().documentedAs({ enum: subscriptionProperties }),
    value: switchOrText().documentedAs({
      anyOf: [{ type: 'boolean' }, { type: 'string', pattern: colorFormat.source }],
    }),
  },
  returns: {},
  async handle({ realm, me, params, commit }) {
    const checked = propertyChangeSchema.safeParse(params)
    if (!checked.success) throw badRequest(describeIssue('value', firstIn(checked.error.issues)))
    checkProperties(realm, me, [checked.data]) // checks what it can before the change begins
    await commit((change) => changeProperties(change, me, [checked.data]))
    return {}
  },
})

/** A JSON boolean, or any other text verbatim. */
function switchOrText() {
  return new Param<boolean | string>('form', z.union([z.boolean(), z.string()]), false, (raw) =>
    raw === 'true' || raw === 'false' ? raw === 'true' : unquoted(raw),
  )
}
