import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sendFiles } from '../../../../../test/pictures.ts'
import { sharedServer } from '../../../../../test/test-server.ts'
import { claimLimits } from './limits.ts'

const server = sharedServer()

test('a file to which very many messages link is listed with the newest of them', async () => {
  const org = await server.organization()
  const anna = await org.person()
  const content = Buffer.from('a picture of a bot')
  const { body: file } = await sendFiles(anna, 'POST', '/user_uploads', [{ name: 'a.txt', content }])
  const { messagesListed } = claimLimits
  await org.log.commit(async (change) => {
    change.lastMessageId = messagesListed
    await change.run(sql`
      INSERT INTO attachment_message (realm_id, attachment_id, message_id, sent_at)
      SELECT realm_id, id, g, 1 FROM attachment, generate_series(1, ${messagesListed}::integer) g WHERE realm_id = ${org.id}`)
  })
  const client = await anna.register()
  const link = `[file](${file.url})`
  const { body: sent } = await anna.post('/messages', { type: 'direct', to: [anna.id], content: link })
  const ids = Array.from({ length: messagesListed }, (_, i) => i + 2)
  expect(sent.id).toBe(ids.at(-1))
  const idsIn = (attachment: { messages: { id: number }[] }) => attachment.messages.map(({ id }) => id)
  const update = (await client.news()).find((event) => event.type === 'attachment')
  expect(idsIn(update?.attachment)).toEqual(ids)
  const { attachments } = (await anna.get('/attachments')).body
  expect(attachments.map(idsIn)).toEqual([ids])
})

test('a message that links to several such files tells their owner of as many messages together', async () => {
  const org = await server.organization()
  const anna = await org.person()
  const files = 10
  const links: string[] = []
  while (links.length < files) {
    const content = Buffer.from(`picture ${links.length}`)
    const { body } = await sendFiles(anna, 'POST', '/user_uploads', [{ name: 'a.txt', content }])
    links.push(`[file](${body.url})`)
  }
  const { messagesListed } = claimLimits
  await org.log.commit(async (change) => {
    change.lastMessageId = messagesListed
    await change.run(sql`
      INSERT INTO attachment_message (realm_id, attachment_id, message_id, sent_at)
      SELECT realm_id, id, g, 1 FROM attachment, generate_series(1, ${messagesListed}::integer) g WHERE realm_id = ${org.id}`)
  })
  const client = await anna.register()
  const { body } = await anna.post('/messages', { type: 'direct', to: [anna.id], content: links.join(' ') })
  const updates = (await client.news()).filter((event) => event.type === 'attachment')
  const listed = updates.map(({ attachment }) => attachment.messages.map(({ id }: { id: number }) => id))
  expect(listed).toHaveLength(files)
  for (const ids of listed) expect(ids.at(-1)).toBe(body.id)
  expect(listed.flat()).toHaveLength(messagesListed)
})
