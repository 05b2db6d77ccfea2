import { expect, test } from 'vitest'
import { holdWrites } from '../../../../test/held-writes.ts'
import { mailsTo } from '../../../../test/mailbox.ts'
import { cast } from '../../../../test/organization.ts'
import { sharedServer } from '../../../../test/test-server.ts'

const server = sharedServer()

test('a user who joins while they are invited gets no invitation', async () => {
  const { org, admin } = await cast(await server.organization())
  const email = 'dora@example.com'
  await org.log.commit((change) => change.update('account', { id: org.owner.id, can_create_users: true }))
  const held = await holdWrites(org.log)
  const account = { email, full_name: 'Dora', password: 'swordfish 12' }
  await held.add(() => org.owner.post('/users', account))
  const invited = await held.add(() => admin.post('/invites', { invitee_emails: email, stream_ids: [] }))
  await held.release()
  expect((await invited.answer).body).toMatchObject({
    code: 'INVITATION_FAILED',
    msg: "We weren't able to invite anyone.",
    errors: [[email, 'Already has an account.', false]],
    sent_invitations: false,
  })
  expect((await admin.get('/invites')).body.invites).toEqual([])
  const kinds = (await mailsTo(org, email)).map(({ kind }) => kind)
  expect(kinds).not.toContain('invitation')
})
