import { expect, test } from 'vitest'
import { messageIn, sender } from '../../../../test/messages.ts'
import type { Person } from '../../../../test/person.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const { organization } = sharedServer()

async function newestOf(who: Person, topic: string, channelId: number) {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ]
  const { body } = await who.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow })
  return body.messages[0]
}

test.each([
  'a*b*c',
  'x** @**all** y',
  'say `x',
  '[a](https://example.com)',
  'costs $$5',
  'mail@5',
  'A & B > C',
])('the notice of a move links to the topic %s', async (topic) => {
  const org = await organization()
  const anna = await org.person()
  const channel = await org.channel({ subscribers: [org.owner, anna] })
  const id = await sender(anna, channel)(topic, 'x')
  await org.owner.patch(`/messages/${id}`, { topic: 'plain', send_notification_to_old_thread: true })
  const { content } = await newestOf(anna, 'plain', channel.id)
  expect(content).not.toContain('mention"')
  const [, href, shown] = /moved here from <a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a> by/.exec(content) ?? []
  const text = textOf(shown ?? '')
  expect(text).toBe(`#${channel.name} > ${topic}`)
  expect(addressedTopic(href ?? '')).toBe(topic)
  // The way back.
  await org.owner.patch(`/messages/${id}`, { topic, send_notification_to_old_thread: true })
  expect((await newestOf(anna, 'plain', channel.id)).content).toContain(
    `by <span class="user-mention silent"`,
  )
  expect(await messageIn(anna, id)).toMatchObject({ subject: topic })
})

/** The text that a browser shows for HTML without elements. */
function textOf(html: string) {
  return html
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

function addressedTopic(href: string) {
  const [, topic = ''] = /\/topic\/([^/]*)/.exec(href) ?? []
  return decodeURIComponent(topic.replaceAll('.', '%'))
}
