import { expect, test } from 'vitest'
import {
  channels,
  groups,
  ids,
  importedZulip,
  inZulipChannel,
  recipients,
  zulipMessage,
} from '../../../test/imports/zulip.ts'
import { foundBy } from '../../../test/messages.ts'
import { testServer } from '../../../test/test-server.ts'

const server = testServer()

test('messages mention people and channels by their former names, and people who have left', async () => {
  const renamed = (id: number, event_type: number, more: object, extra_data: unknown) => ({
    id,
    event_type,
    ...more,
    extra_data,
  })
  const { as } = await importedZulip(
    server,
    {
      tables: {
        zerver_realmauditlog: [
          renamed(1, 124, { modified_user: ids.ben }, { 1: 'Benjamin', 2: 'Ben' }),
          renamed(2, 124, { modified_user: ids.gus }, JSON.stringify({ 1: 'Gustav', 2: 'Gus' })),
          renamed(3, 124, { modified_user: ids.gus }, { 1: 'Twin' }),
          renamed(4, 124, { modified_user: ids.ben }, { 1: 'Twin' }),
          renamed(5, 603, { modified_stream: channels.tea }, { 1: 'coffee', 2: 'tea' }),
          renamed(7, 720, { modified_user_group: groups.crew }, { 1: 'sailors', 2: 'crew' }),
          renamed(6, 603, { modified_stream: channels.secret }, { 1: 'hidden', 2: 'secret' }),
        ],
      },
      messages: [
        {
          zerver_message: [
            zulipMessage(
              1000,
              ids.ann,
              recipients.tea,
              '@**Benjamin** @**gustav** @**Twin** @**Gone** #**coffee>x** @_*Sailors*',
            ),
            zulipMessage(
              1003,
              ids.ann,
              recipients.tea,
              `@_**Benjamin|${ids.ben}** @**Twin|${ids.gus}** @**Ann|999** @**Nobody|${ids.ann}** @**Ben|${ids.ann}**`,
            ),
            zulipMessage(1001, ids.gus, recipients.tea, '#**hidden**'),
            zulipMessage(
              1002,
              ids.gus,
              recipients.tea,
              'see https://Acme.example.com/#narrow/channel/21-tea/topic/x/near/1000',
            ),
          ],
        },
      ],
    },
    { from: new URL('https://acme.example.com') },
  )
  const [first, second, third, fourth] = await foundBy(await as('ann'), inZulipChannel(channels.tea))
  const mention = (id: number, name: string) =>
    `<span class="user-mention" data-user-id="${id}">@${name}</span>`
  const people = [
    mention(ids.ben, 'Ben'),
    mention(ids.gus, 'Gus'),
    '@<strong>Twin</strong>',
    mention(ids.gone, 'Gone'),
  ]
  expect(first!.content).toContain(people.join(' '))
  expect(first!.content).toContain(`data-user-group-id="${groups.crew}">crew</span>`)
  expect(first!.content).toContain(`data-stream-id="${channels.tea}"`)
  expect(second!.content).toBe('<p>#<strong>hidden</strong></p>')
  // A name and an id that do not belong together: the name was a former one, or the id is of another server.
  expect(fourth!.content).toBe(
    `<p>${[
      `<span class="user-mention silent" data-user-id="${ids.ben}">Ben</span>`,
      mention(ids.gus, 'Gus'),
      mention(ids.ann, 'Ann'),
      `@<strong>Nobody|${ids.ann}</strong>`,
      mention(ids.ben, 'Ben'),
    ].join(' ')}</p>`,
  )
  expect(third!.content).toContain('href="#narrow/channel/21-tea/topic/x/near/1000"')
})
