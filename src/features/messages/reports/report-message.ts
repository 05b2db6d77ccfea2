import type { ChannelRow } from '../../../db/schema.ts'
import { requireUser } from '../../../http/access.ts'
import { command } from '../../../http/endpoint.ts'
import { pathInteger, text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { realmUrl } from '../../../lib/site.ts'
import type { RealmState } from '../../../log/realm-state.ts'
import { render } from '../../../markdown/render.ts'
import { messageToRead } from '../../kernel/messages/access.ts'
import { noticeLookup } from '../../kernel/messages/markdown-lookup.ts'
import { postNotice } from '../../kernel/messages/post-notice.ts'
import { realmSettings } from '../../kernel/settings/settings.ts'
import { reportLimits } from './limits.ts'
import { type Reason, reasons, reportText, reportTopic } from './report-text.ts'

/** Reports a message in the organization's moderation channel. No other user is notified. */
export const reportMessage = command('POST /messages/{message_id}/report', {
  summary: 'Report a message to the moderators',
  since: 382,
  creates: true,
  access: requireUser,
  params: {
    message_id: pathInteger(),
    report_type: text({ oneOf: Object.keys(reasons) }),
    description: text({ max: reportLimits.reportDescriptionLength }).default(''),
  },
  returns: {},
  async handle({ realm, me, params, read, site, conclude }) {
    const explanation = params.description.trim()
    if (params.report_type === 'other' && explanation === '') throw badRequest('An explanation is required.')
    moderationChannel(realm)
    const message = await messageToRead(realm, me, read, params.message_id)
    const url = realmUrl(site, realm.row)
    const reported = realm.users.require(message.sender_id)
    const report = { message, reported, reason: params.report_type as Reason, explanation }
    const content = reportText(realm, url, me, report)
    const rendered = render(content, noticeLookup(realm, url, me))
    const topic = reportTopic(reported)
    return conclude(async (change) => {
      const { recipient_id: recipientId, topics_policy } = moderationChannel(change.state)
      const where = topics_policy === 'empty_topic_only' ? '' : topic
      await postNotice(change, { recipientId, topic: where, content, rendered })
      return {}
    })
  },
})

function moderationChannel(realm: RealmState): ChannelRow {
  const channel = realm.channels.get(realmSettings(realm).moderation_request_channel_id)
  if (channel && !channel.is_archived) return channel
  throw badRequest('Message reporting is not enabled in this organization.')
}
