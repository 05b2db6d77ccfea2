import { expect, test } from 'vitest'
import {
  channels,
  ids,
  importedZulip,
  inZulipChannel,
  recipients,
  zulipMessage,
} from '../../../test/imports/zulip.ts'
import { foundBy } from '../../../test/messages.ts'
import { testServer } from '../../../test/test-server.ts'

const server = testServer()

test('polls keep their votes, and bots their buttons', async () => {
  const submessage = (id: number, message: number, sender: number, content: object | string) => ({
    id,
    message,
    sender,
    msg_type: 'widget',
    content: typeof content === 'string' ? content : JSON.stringify(content),
  })
  const poll = { widget_type: 'poll', extra_data: { question: 'What?', options: ['Tea', 'Milk'] } }
  const choices = [{ type: 'multiple_choice', short_name: 'A', long_name: 'Yes', reply: 'yes' }]
  const buttons = { widget_type: 'zform', extra_data: { type: 'choices', heading: 'Go?', choices } }
  const vote = { type: 'vote', key: 'canned,0', vote: 1 }
  const option = { type: 'new_option', idx: 1, option: 'Water' }
  const question = { type: 'question', question: 'Which?' }
  const { made, as } = await importedZulip(server, {
    tables: {
      zerver_submessage: [
        submessage(3, 1000, ids.gus, option),
        submessage(1, 1000, ids.ben, poll),
        submessage(2, 1000, ids.ann, vote),
        submessage(4, 1000, ids.ben, question),
        // Not the author, no JSON, nobody, and no such message.
        submessage(5, 1000, ids.ann, question),
        submessage(6, 1000, ids.ann, 'no JSON'),
        submessage(7, 1000, 999, vote),
        submessage(8, 77, ids.ann, vote),
        submessage(9, 1001, ids.deploy, buttons),
        submessage(10, 1002, ids.ben, vote),
      ],
    },
    messages: [
      {
        zerver_message: [
          zulipMessage(1000, ids.ben, recipients.tea, '/poll What?\nTea\nMilk'),
          zulipMessage(1001, ids.deploy, recipients.tea, 'Go?'),
          zulipMessage(1002, ids.ben, recipients.tea, 'no widget'),
        ],
      },
    ],
  })
  expect(made.leftOut).toEqual({ lostReferences: 2, submessages: 3 })
  const ann = await as('ann')
  const inTea = inZulipChannel(channels.tea)
  const shown = async () =>
    (await foundBy(ann, inTea)).map(({ submessages }) =>
      (submessages as { sender_id: number; content: string }[]).map(({ sender_id, content }) => [
        sender_id,
        JSON.parse(content),
      ]),
    )
  const votes = [
    [ids.ann, vote],
    [ids.gus, option],
    [ids.ben, question],
  ]
  expect(await shown()).toEqual([[[ids.ben, poll], ...votes], [[ids.deploy, buttons]], []])
  const content = JSON.stringify({ type: 'vote', key: 'canned,1', vote: 1 })
  const voted = await ann.post('/submessage', { message_id: 1000, msg_type: 'widget', content })
  expect(voted.body.result).toBe('success')
  expect((await shown())[0]).toHaveLength(5)
})
